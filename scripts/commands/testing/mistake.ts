// What a mistake is, and where it is made.
import type { StartedMock } from '../../../mock/start.ts';

/** Places that mistakes lead to; see places.ts. */
export type PlaceName =
  | 'tls'
  | 'page'
  | 'gateway'
  | 'redirect'
  | 'taken'
  | 'blackHole'
  | 'silent'
  | 'basic'
  | 'firewall'
  | 'maintenance'
  | 'portal'
  | 'busy';

/** Where a mistake is made: a deployment in order, and places that are none. */
export interface Scene {
  mock: StartedMock;
  /** A folder of its own. */
  folder: string;
  ports: Record<'closed' | PlaceName, number>;
}

export interface Mistake {
  name: string;
  /** Flags that replace those of a right call; undefined leaves one out. */
  flags?: (scene: Scene) => Record<string, string | undefined>;
  /** Variables that replace those of a right call. */
  environment?: (scene: Scene) => Record<string, string>;
  /** Done beforehand. */
  before?: (scene: Scene) => Promise<void>;
  /** The profile that the mock speaks. */
  spoken?: string;
  status: 2 | 3;
  /** How many things it creates and deletes again; none unless stated. */
  creates?: number;
  /** The last line. */
  says: RegExp;
}
