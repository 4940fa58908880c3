import type { Json } from '../../openapi/json.ts';
import type { Site } from '../world/world.ts';

/** Something to tell a subscription. */
export interface Push {
  /** One of the seven events, or what a profile names a test message. */
  event: string;
  at: number;
  site: Pick<Site, 'id' | 'name'>;
  data: Json;
  /** A test message, and whether it has a body of its own on the custom channel. */
  test?: { ownBody: boolean };
}
