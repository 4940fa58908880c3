// Faults of answers: what goes out is changed, and nothing else.
import type { Json } from '../../openapi/json.ts';
import { isObject } from '../../openapi/json.ts';
import type { Answer } from '../http/envelope.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Wrap } from './fault.ts';

/** An answer as it is about to leave. */
export interface Leaving {
  exchange: Exchange;
  answer: Answer;
  envelope: Json;
}

/** Changes answers as a whole. */
export function changingAnswers(
  when: (leaving: Leaving) => boolean,
  change: (leaving: Leaving) => Partial<Answer>,
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
export function changingEnvelopes(
  when: (leaving: Leaving) => boolean,
  change: (envelope: Json, leaving: Leaving) => unknown,
): Wrap {
  return changingAnswers(when, (leaving) => ({ body: JSON.stringify(change(leaving.envelope, leaving)) }));
}

/** Puts something else in the place of members of the envelope; what is undefined is left out. */
export function withMembers(when: (leaving: Leaving) => boolean, members: Json): Wrap {
  return changingEnvelopes(when, (envelope) => ({ ...envelope, ...members }));
}

export function isSuccess({ envelope }: Leaving): boolean {
  return envelope.code === 0;
}

/** Whether the caller came with an API key. */
export function isByKey({ exchange }: Leaving): boolean {
  return /^Bearer +sp_/i.test(exchange.headers.authorization ?? '');
}

export function isTo(...operations: readonly Exchange['operation'][]): (leaving: Leaving) => boolean {
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
