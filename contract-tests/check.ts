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
  /** Whether a run has the check at all, without which the report does not mention it; every run has it unless stated. */
  isWanted?(options: SuiteOptions): boolean;
  /** Whether it verifies more closely what another check verifies already: it runs in the tier `full` alone, and only where its needs are met. */
  isFurther?: boolean;
  /** The longest time that the check takes, waits included, in milliseconds; two minutes and the waits that the options allow unless stated. */
  longestMs?: number;
  /** Begins slow work before the first check of the run; `run` gets the result with `once`. */
  prepare?(context: Context): Promise<void>;
  /** Returns when the promise holds. Throws an outcome (core/outcomes.ts), or anything else for an error of the suite's own. */
  run(context: Context): Promise<void> | void;
}
