// A request while it is worked on.
import type { IncomingMessage } from 'node:http';
import type { Operation } from '../../openapi/operations.ts';
import type { JournalExchange } from '../http/journal-exchange.ts';
import type { Answer } from '../http/render-envelope.ts';
import type { AnyHandler, Caller, Steps } from '../service.ts';
import type { ForcedAnswer } from './forced-answers.ts';

export interface Route {
  operation: Operation;
  handler: AnyHandler;
}

/** A request to an operation, whichever way it came. */
export interface Incoming {
  route: Route;
  message: IncomingMessage;
  /** The values in the path. */
  params: Readonly<Record<string, string>>;
}

/** A request in progress. */
export interface ActiveRequest extends Incoming {
  exchange: JournalExchange;
  forced: ForcedAnswer | undefined;
  /** As they were at its arrival: faults may be switched meanwhile. */
  steps: Steps;
  caller: Caller | undefined;
  /** For a call that fails: makes it not count against its limit, if failures do not. */
  uncount: (() => void) | undefined;
  /** For how long the answer is held back, since the call is worked on. */
  heldMs: number;
  /** Under what it is in progress. */
  workKey: string | undefined;
  answer: Answer | undefined;
  /** For how long the answer is held back in all. */
  delayMs: number;
}
