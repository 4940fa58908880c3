// How the calls of the control API reach a world that a store keeps; its methods do so by the name of their call.
import { changeKept } from './change-kept.ts';
import type { ControlContext } from './control-context.ts';

/** Those that show requests: others may have got some. */
const needsJournal: ReadonlySet<string> = new Set([
  'listRequests',
  'getRequest',
  'clearRequests',
  'getOverview',
  'stream',
]);
/** Also while a store fails. */
const alwaysAnswered: ReadonlySet<string> = new Set([
  'getHealth',
  'stop',
  'getLive',
  'getReady',
  'getMetrics',
]);

/** Does what a call of the control API does, in a turn where it needs one. Throws as `changeKept` does. */
export async function askKept<Result>(
  service: ControlContext['service'],
  callId: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const isShared = service.store?.shared !== undefined;
  // What others have done is seen in a turn only; where there are none, who only reads needs none.
  const needsTurn = (isShared || !onlyReads(callId)) && !alwaysAnswered.has(callId);
  if (!needsTurn) return work();
  return changeKept(service, work, { journal: isShared && needsJournal.has(callId) });
}

/** Whether it is a GET. */
export function onlyReads(callId: string): boolean {
  return callId === 'stream' || /^(get|list)[A-Z]/.test(callId);
}
