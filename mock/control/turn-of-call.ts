// How the calls of the control API reach the world, whether over HTTP or as methods.
import { worldHasEnded } from '../http/not-kept.ts';
import type { Mock } from '../service.ts';
import { StoreError } from '../store/engine.ts';
import type { ControlCall } from './control-contract.ts';
import { ControlError } from './control-error.ts';

/** Does what a call of the control API does, in a turn where it needs one. Throws a ControlError if a store can't persist it: then nothing has happened before the first thing that was waited for. */
export async function turnOfCall<Result>(
  mock: Mock,
  { turn }: Pick<ControlCall, 'turn'>,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const isShared = mock.store?.shared !== undefined;
  // What other mocks have done is seen in a turn only.
  if (turn === 'none' || (turn !== 'change' && !isShared)) return work();
  try {
    return await mock.turn(work, { journal: isShared && turn === 'journal' });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.reason === 'gone') throw new ControlError(404, worldHasEnded);
    throw new ControlError(503, `${error.message}; do it again when that is mended`);
  }
}
