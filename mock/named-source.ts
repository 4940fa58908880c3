import { digest } from './secrets.ts';
import type { World } from './world.ts';

/** Where random numbers are drawn from (see random.ts). */
export type Source = Pick<World, 'random'>;

/** A source that is the same for the same name, so that nothing has to be remembered. */
export function namedSource(name: string): Source {
  return { random: Number.parseInt(digest(name).slice(0, 8), 16) | 0 };
}
