// What a check is: a plain object. The runner, the reporters and `sitepub list` read one list of them (checks/index.ts).
import type { Context } from './context.ts';
import type { SuiteOptions } from './core/suite-options.ts';

/** What must be there for a check to be made; `operation:x` is the gap operation.x. */
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
  | `wait:${string}`
  | `operation:${string}`;

export interface Check {
  /** Stable and hyphenated: the requirement's id in lower case, then what is tried. */
  id: string;
  requirement: string;
  needs: readonly Need[];
  /** Whether a run is to have the check at all; where it is not, nothing is said of it. Unless stated, every run is. */
  isWanted?(options: SuiteOptions): boolean;
  /** Looks closer at what other checks verify with less: in the tier `full` alone, and left out where a run is not given what it needs. */
  isFurther?: boolean;
  /** Begins what takes long, before the first check of the run; what it makes, `run` finds with `once`. */
  prepare?(context: Context): Promise<void>;
  /** Returns when the promise holds. Throws PromiseBroken, NotVerified, or anything else for an error of the suite's own. */
  run(context: Context): Promise<void> | void;
}
