// The channels that are chat robots (section 2.4).
import { channels } from './generated/event-names.ts';
import type { Channel } from './generated/types.ts';

export { channels, eventNames } from './generated/event-names.ts';

export type Robot = Exclude<Channel, 'custom'>;

export const chatChannels: readonly Robot[] = channels.filter((channel) => channel !== 'custom');
