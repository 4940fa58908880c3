// The calls of the control API: a function for each operationId, and how they reach the world.
import { worldHasEnded } from '../../http/not-kept.ts';
import type { Mock } from '../../service.ts';
import { StoreError } from '../../store/engine.ts';
import type { ControlCall } from '../control-contract.ts';
import { ControlError } from '../control-error.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import type { Answered, AnyInput, CallId, Input } from './call.ts';
import * as clock from './clock-calls.ts';
import * as inboxes from './inboxes-calls.ts';
import * as journal from './journal-calls.ts';
import * as pushes from './pushes-calls.ts';
import * as sites from './sites-calls.ts';
import * as state from './state-calls.ts';
import * as steering from './steering-calls.ts';
import * as worlds from './worlds-calls.ts';

/** Throws a ControlError, or rejects with one. */
type Call<Id extends CallId> = (mock: ControlledMock, input: Input<Id>) => Answered<Id>;

/** A call that is known at run time only. */
export type AnyCall = (mock: ControlledMock, input: AnyInput) => object | string | Promise<object>;

export const calls: { [Id in CallId]: Call<Id> } = {
  ...state,
  ...sites,
  ...clock,
  ...pushes,
  ...journal,
  ...steering,
  ...inboxes,
  ...worlds,
};

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
