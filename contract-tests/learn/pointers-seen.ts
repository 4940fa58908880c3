// Where in an answer that came the values are that an operation gap reads.
import { getAt } from '../../openapi/json-pointer.ts';
import { readAnswer } from './answer.ts';
import { fieldsOfValues } from './fields.ts';
import { isShownName } from './recording/shown.ts';
import { wantedOperations } from './wanted-operations.ts';

/** JSON Pointers by the names of the reads; those of items from the item. Only names that a recording may show are kept: another may be that of a person. */
export function pointersSeen(gap: string, answer: unknown): Record<string, string> {
  const wanted = wantedOperations.find((one) => one.gap.id === gap);
  if (!wanted) return {};
  const body = fieldsOfValues([answer], { isShownName });
  const { key, ...pointers } = readAnswer({ answers: [{ status: 200, body }] }, wanted).pointers;
  // A part of a key is shown in its place.
  const isWhole = key !== undefined && !/[*•…]/.test(String(getAt(answer, key)));
  return { ...pointers, ...(isWhole && { key }) };
}
