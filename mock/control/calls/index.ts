import { worldHasEnded } from '../../http/api-errors.ts';
import type { Mock } from '../../service.ts';
import { StoreError } from '../../store/store-error.ts';
import type { ControlCall } from '../control-contract.ts';
import { refuse } from '../control-error.ts';
import type { AnyInput, CallId, ControlledMock } from '../controlled-mock.ts';
import { callOperation } from './call-operation.ts';
import * as sites from './sites-calls.ts';
import * as state from './state-calls.ts';
import * as steering from './steering-calls.ts';
import * as traffic from './traffic-calls.ts';

/** One function per operationId, which throws or rejects with a ControlError. */
export const calls = {
  ...state,
  ...sites,
  ...steering,
  ...traffic,
  callOperation,
};

/** A call that is missing above makes this a compile error. */
export type Answered<Id extends CallId> = ReturnType<(typeof calls)[Id]>;

export type AnyCall = (mock: ControlledMock, input: AnyInput) => object | string | Promise<object>;

/** The turn covers an async call up to its first `await`. Throws a ControlError, of status 503 if the store can't persist it. */
export async function turnOfCall<Result>(
  mock: Mock,
  { turn }: Pick<ControlCall, 'turn'>,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const isShared = mock.store?.shared !== undefined;
  // Only a turn adopts what other processes have changed.
  if (turn === 'none' || (turn !== 'change' && !isShared)) return work();
  try {
    return await mock.turn(work, { journal: isShared && turn === 'journal' });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.reason === 'gone') refuse(404, worldHasEnded);
    refuse(503, `${error.message}; try again once that is fixed`);
  }
}
