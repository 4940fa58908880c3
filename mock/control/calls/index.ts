// The calls of the control API: a function for each operationId.
import type { ControlledMock } from '../controlled-mock.ts';
import type { Answer, AnyInput, CallId, Input } from './call.ts';
import * as clock from './clock-calls.ts';
import * as inboxes from './inboxes-calls.ts';
import * as journal from './journal-calls.ts';
import * as pushes from './pushes-calls.ts';
import * as sites from './sites-calls.ts';
import * as state from './state-calls.ts';
import * as steering from './steering-calls.ts';
import * as worlds from './worlds-calls.ts';

export const calls = {
  ...state,
  ...sites,
  ...clock,
  ...pushes,
  ...journal,
  ...steering,
  ...inboxes,
  ...worlds,
} satisfies { [Id in CallId]: Call<Id> };

export type Calls = typeof calls;

/** Throws a ControlError, or rejects with one. */
export type Call<Id extends CallId> = (
  mock: ControlledMock,
  input: Input<Id>,
) => Answer<Id> | Promise<Answer<Id>>;

/** A call that is known at run time only. */
export type AnyCall = (mock: ControlledMock, input: AnyInput) => object | string | Promise<object>;
