// Faults in answers: what is sent is changed, and nothing else.
import { isObject, type Json } from '../../openapi/json.ts';
import type { JournalExchange } from '../http/journal.ts';
import type { Answer } from '../http/render-envelope.ts';
import { after, type Wrap } from './fault.ts';
import { changeAt } from './values.ts';

/** An answer that is about to be sent. */
interface OutgoingAnswer {
  exchange: JournalExchange;
  answer: Answer;
  envelope: Json;
}

export type AnswerTest = (outgoing: OutgoingAnswer) => boolean;

/** Changes answers as a whole, unless another fault has turned them into something else. */
export function changeAnswer(when: AnswerTest, change: (outgoing: OutgoingAnswer) => Partial<Answer>): Wrap {
  return after('answer', (answer, _service, exchange) => {
    const envelope = readEnvelope(answer.body);
    const outgoing = envelope && { exchange, answer, envelope };
    return outgoing && when(outgoing) ? { ...answer, ...change(outgoing) } : answer;
  });
}

/** Changes a member of the envelope, or of its data: `data.total`. One that becomes undefined is left out. */
export function changeMember(
  when: AnswerTest,
  path: string,
  change: (value: unknown, outgoing: OutgoingAnswer) => unknown,
): Wrap {
  return changeAnswer(when, (outgoing) => {
    const changed = changeAt(outgoing.envelope, path, (value) => change(value, outgoing));
    return { body: JSON.stringify(changed) };
  });
}

export function setMember(when: AnswerTest, path: string, value: unknown): Wrap {
  return changeMember(when, path, () => value);
}

export function isSuccess({ envelope }: OutgoingAnswer): boolean {
  return envelope.code === 0;
}

export function hasStatus(status: number): AnswerTest {
  return ({ answer }) => answer.status === status;
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

function readEnvelope(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
