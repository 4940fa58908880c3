import type { OperationId } from '../openapi/operations.ts';
import type { Profile } from '../openapi/profile.ts';
import type { Validator } from '../openapi/validate.ts';
import type { Clock } from './clock.ts';
import type { Dispatcher } from './webhooks/dispatch.ts';
import type { World } from './world.ts';

/** What the stages of a request and the dispatcher share. */
export interface Service {
  profile: Profile;
  /** Read anew each time: it can be replaced as a whole. */
  world: World;
  clock: Clock;
  validate: Validator;
  dispatcher: Dispatcher;
  /** The operations that are answered. */
  operations: readonly OperationId[];
  log: Log;
}

/** Takes one line for the people who run the mock; never shown to callers of the API. */
export type Log = (line: string) => void;
