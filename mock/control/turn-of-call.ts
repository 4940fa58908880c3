// How the calls of the control API reach the world, whether over HTTP or as methods.
import { worldHasEnded } from '../http/not-kept.ts';
import type { Mock } from '../service.ts';
import { StoreError } from '../store/engine.ts';
import { ControlError } from './control-error.ts';

/** Calls that show requests: other mocks may have got some. */
const needsJournal: ReadonlySet<string> = new Set([
  'listRequests',
  'getRequest',
  'clearRequests',
  'getOverview',
  'stream',
]);
/** Calls that are answered also while a store fails. */
const alwaysAnswered: ReadonlySet<string> = new Set([
  'getHealth',
  'stop',
  'getLive',
  'getReady',
  'getMetrics',
]);

/** Does what a call of the control API does, in a turn where it needs one. Throws a ControlError if a store can't persist it: then nothing has happened before the first thing that was waited for. */
export async function turnOfCall<Result>(
  mock: Mock,
  callId: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const isShared = mock.store?.shared !== undefined;
  // What other mocks have done is seen in a turn only.
  const needsTurn = (isShared || !onlyReads(callId)) && !alwaysAnswered.has(callId);
  if (!needsTurn) return work();
  try {
    return await mock.turn(work, { journal: isShared && needsJournal.has(callId) });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.reason === 'gone') throw new ControlError(404, worldHasEnded);
    throw new ControlError(503, `${error.message}; do it again when that is mended`);
  }
}

/** Whether a call is a GET. */
export function onlyReads(callId: string): boolean {
  return callId === 'stream' || /^(get|list)[A-Z]/.test(callId);
}
