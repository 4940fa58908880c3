// Faults in answers: what is sent is changed, and nothing else.
import { isObject, type Json } from '../../openapi/json.ts';
import type { JournalExchange } from '../http/journal-exchange.ts';
import type { Answer } from '../http/render-envelope.ts';
import type { Wrap } from './fault.ts';

/** An answer that is about to be sent. */
export interface OutgoingAnswer {
  exchange: JournalExchange;
  answer: Answer;
  envelope: Json;
}

export type AnswerTest = (outgoing: OutgoingAnswer) => boolean;

/** Changes answers as a whole. */
export function changeAnswer(when: AnswerTest, change: (outgoing: OutgoingAnswer) => Partial<Answer>): Wrap {
  return (steps) => ({
    answer(service, exchange, given) {
      const answer = steps.answer(service, exchange, given);
      const envelope = readEnvelope(answer.body);
      const outgoing = envelope && { exchange, answer, envelope };
      return outgoing && when(outgoing) ? { ...answer, ...change(outgoing) } : answer;
    },
  });
}

/** Changes members of the envelope; a member that becomes undefined is left out. */
export function changeEnvelope(
  when: AnswerTest,
  change: (envelope: Json, outgoing: OutgoingAnswer) => Json,
): Wrap {
  return changeAnswer(when, (outgoing) => {
    const { envelope } = outgoing;
    return { body: JSON.stringify({ ...envelope, ...change(envelope, outgoing) }) };
  });
}

/** Sets members of the envelope to fixed values; undefined leaves a member out. */
export function setMembers(when: AnswerTest, members: Json): Wrap {
  return changeEnvelope(when, () => members);
}

/** Changes members of `data`; a member that becomes undefined is left out. */
export function changeData(when: AnswerTest, change: (data: Json, outgoing: OutgoingAnswer) => Json): Wrap {
  return changeEnvelope(when, (envelope, outgoing) => {
    const data = dataOf(envelope);
    return { data: { ...data, ...change(data, outgoing) } };
  });
}

export function isSuccess({ envelope }: OutgoingAnswer): boolean {
  return envelope.code === 0;
}

export function isAnswerTo(operation: JournalExchange['operation']): AnswerTest {
  return ({ exchange }) => exchange.operation === operation;
}

export function isSuccessOf(operation: JournalExchange['operation']): AnswerTest {
  return (outgoing) => isAnswerTo(operation)(outgoing) && isSuccess(outgoing);
}

/** Whether the reason for a refusal contains some words. */
export function isRefusedFor(words: string): AnswerTest {
  return ({ exchange }) => exchange.refusal?.includes(words) ?? false;
}

export function dataOf({ data }: Json): Json {
  return isObject(data) ? data : {};
}

/** Undefined where another fault has turned the body into something else. */
function readEnvelope(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
