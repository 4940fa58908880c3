// Faults of answers: what goes out is changed, and nothing else.
import type { Json } from '../../openapi/json.ts';
import { isObject } from '../../openapi/json.ts';
import type { JournalExchange } from '../http/journal-exchange.ts';
import type { Answer } from '../http/render-envelope.ts';
import type { Wrap } from './fault.ts';

/** An answer as it is about to leave. */
export interface OutgoingAnswer {
  exchange: JournalExchange;
  answer: Answer;
  envelope: Json;
}

/** Changes answers as a whole. */
export function changeAnswer(
  when: (leaving: OutgoingAnswer) => boolean,
  change: (leaving: OutgoingAnswer) => Partial<Answer>,
): Wrap {
  return (steps) => ({
    answer(service, exchange, own) {
      const answer = steps.answer(service, exchange, own);
      const envelope = readEnvelope(answer.body);
      const leaving = envelope && { exchange, answer, envelope };
      return leaving && when(leaving) ? { ...answer, ...change(leaving) } : answer;
    },
  });
}

/** Changes the envelopes of answers. */
export function changeEnvelope(
  when: (leaving: OutgoingAnswer) => boolean,
  change: (envelope: Json, leaving: OutgoingAnswer) => unknown,
): Wrap {
  return changeAnswer(when, (leaving) => ({ body: JSON.stringify(change(leaving.envelope, leaving)) }));
}

/** Puts something else in the place of members of the envelope; what is undefined is left out. */
export function setMembers(when: (leaving: OutgoingAnswer) => boolean, members: Json): Wrap {
  return changeEnvelope(when, (envelope) => ({ ...envelope, ...members }));
}

export function isSuccess({ envelope }: OutgoingAnswer): boolean {
  return envelope.code === 0;
}

/** Whether the caller came with an API key. */
export function isByKey({ exchange }: OutgoingAnswer): boolean {
  return /^Bearer +sp_/i.test(exchange.headers.authorization ?? '');
}

export function isTo(
  ...operations: readonly JournalExchange['operation'][]
): (leaving: OutgoingAnswer) => boolean {
  return ({ exchange }) => operations.includes(exchange.operation);
}

export function dataOf({ data }: Json): Json {
  return isObject(data) ? data : {};
}

/** Another fault may have made it something else than an envelope. */
function readEnvelope(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
