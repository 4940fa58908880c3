// The calls of the control API: a function for each operationId, and how they reach the world.
import { worldHasEnded } from '../../http/api-errors.ts';
import type { Mock } from '../../service.ts';
import { StoreError } from '../../store/store-error.ts';
import type { ControlCall } from '../control-contract.ts';
import { refuse } from '../control-error.ts';
import type { AnyInput, CallId, ControlledMock } from '../controlled-mock.ts';
import { callOperation } from './call-operation.ts';
import * as clock from './clock-calls.ts';
import * as inboxes from './inboxes-calls.ts';
import * as journal from './journal-calls.ts';
import * as pushes from './pushes-calls.ts';
import * as sites from './sites-calls.ts';
import * as state from './state-calls.ts';
import * as steering from './steering-calls.ts';

/** Each throws a ControlError, or rejects with one. */
export const calls = {
  ...state,
  ...sites,
  ...clock,
  ...pushes,
  ...journal,
  ...steering,
  callOperation,
  ...inboxes,
};

/** What a call gives within the process: a promise if it waits for something. The compiler asks for calls that are missing. */
export type Answered<Id extends CallId> = ReturnType<(typeof calls)[Id]>;

/** A call that is known at run time only. */
export type AnyCall = (mock: ControlledMock, input: AnyInput) => object | string | Promise<object>;

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
    if (error.reason === 'gone') refuse(404, worldHasEnded);
    refuse(503, `${error.message}; do it again when that is mended`);
  }
}
