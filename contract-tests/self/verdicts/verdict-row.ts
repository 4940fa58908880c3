// What the suite says of a deployment: one row for each kind of behaviour, lawful or not.
import type { RemarkId } from '../../deployment/remarks.ts';
import type { MockRun } from '../run-against-mock.ts';

/** A deployment, and what a run must say of it. Whatever is not named may have any outcome but failed and error. */
export interface VerdictRow {
  /** The behaviour in a few words, such as "a limit as a token bucket". */
  behaviour: string;
  /** The deployment: a mock with a profile, variations, faults, a tampering proxy or sabotage. Its options choose tier and requirements. */
  run(): MockRun;
  /** Requirements that must be passed. */
  passes?: readonly string[];
  /** Requirements that must be passed or partly verified. */
  verifies?: readonly string[];
  /** Requirements that must be not verified. */
  leavesOpen?: readonly string[];
  /** Requirements that must be failed; none of the others may. A row without any is lawful. */
  fails?: readonly string[];
  /** Remarks that must be made. */
  remarks?: readonly RemarkId[];
  /** Parts of notes that must be made, each once. */
  notes?: readonly string[];
  /** Gaps that must drift. */
  drifts?: readonly string[];
}
