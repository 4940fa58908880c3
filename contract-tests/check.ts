// A check is a plain object. The runner, the reporters and `sitepub list` read one list of them (checks/index.ts).
import type { EventName } from '../openapi/generated/types.ts';
import type { Context } from './context.ts';
import type { SuiteOptions } from './core/suite-options.ts';

/** What a check needs; `operation:x` is the gap operation.x. */
export type Need =
  | 'account'
  | 'site'
  | 'creates'
  | 'receiver'
  | 'api-key'
  | 'second-tenant'
  | 'second-user'
  | 'other-user'
  | 'spare-key'
  | 'disruptive'
  | 'expiry'
  | 'retried-push'
  | `wait:${string}`
  | `operation:${string}`
  | `event:${EventName}`;

export interface Check {
  /** Stable and hyphenated: the requirement's id in lower case, then the case. */
  id: string;
  requirement: string;
  needs: readonly Need[];
  /** Whether a run includes the check; otherwise the report does not mention it. Default: every run. */
  isWanted?(options: SuiteOptions): boolean;
  /** Whether it verifies in more detail what another check verifies: it runs only in the tier `full`, and only if its needs are met. */
  isFurther?: boolean;
  /** The longest time that the check takes, including waits, in milliseconds. Default: two minutes plus the waits that the options allow. */
  longestMs?: number;
  /** Begins slow work before the first check of the run; `run` gets the result with `once`. */
  prepare?(context: Context): Promise<void>;
  /** Returns if the promise is fulfilled. Throws an outcome (core/outcomes.ts), or any other error if the suite itself fails. */
  run(context: Context): Promise<void> | void;
}
