// Where in an answer that came the values are that an operation gap reads.
import { getAt } from '../../openapi/json-pointer.ts';
import { readAnswer } from './answer.ts';
import { fieldsOfValues } from './fields.ts';
import { wantedOperations } from './wanted-operations.ts';

/** JSON Pointers by the names of the reads; those of items from the item. Nothing of what is in the answer is kept but names. */
export function pointersSeen(gap: string, answer: unknown): Record<string, string> {
  const wanted = wantedOperations.find((one) => one.gap.id === gap);
  if (!wanted) return {};
  const body = fieldsOfValues([answer]);
  const { key, ...pointers } = readAnswer({ answers: [{ status: 200, body }] }, wanted).pointers;
  // A part of a key is shown in its place.
  const isWhole = key !== undefined && !/[*•…]/.test(String(getAt(answer, key)));
  return { ...pointers, ...(isWhole && { key }) };
}
