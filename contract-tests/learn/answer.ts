// Finds the values in an answer that a gap needs.
import { getAt, parentOf } from '../../openapi/json-pointer.ts';
import type { DescribedOperation, Field } from './described-operation.ts';
import { findIdentifiers, findNamed } from './named-fields.ts';
import { fieldsOfValues } from './recording/shown.ts';
import { type WantedOperation, wantedOperations } from './words.ts';

export type Answer = ReturnType<typeof readAnswer>;

/** Returns doubts, and JSON Pointers by read name. Pointers into items are relative to the item. */
export function readAnswer(
  { answers }: Pick<DescribedOperation, 'answers'>,
  { gap: { reads = [] }, resource: of, answers: needed = [] }: WantedOperation,
) {
  const described = answers.find(({ body = [] }) => body.length > 1);
  const { status, body: fields = [] } = described ?? answers[0] ?? { status: undefined };
  const base = hasEnvelope(fields) ? '/data' : '';
  const list = findList(fields);
  const isWhole = list === base && reads.includes('list');
  const pointers: Record<string, string> = {};
  const doubts =
    !described && answers.length > 1 ? ['the source does not say which success status it answers'] : [];
  const taken: Field[] = [];
  for (const read of isWhole ? [] : reads) {
    const value = read.replace('item.', '');
    const start = value === read ? base : `${list}/*`;
    const place = { fields: fields.filter((field) => !taken.includes(field)), start, of };
    // These values may be lists or objects.
    const fits = ['events', 'attempts', 'fields'].includes(value) ? () => true : undefined;
    const named = value === 'id' ? findIdentifiers(place, of, true) : findNamed(place, value, fits);
    const [first, rival] = value === 'list' ? fields.filter(({ pointer }) => pointer === list) : named;
    const isNeeded = needed.some((one) => one.split('|').includes(read));
    if (!first || (rival && !isNeeded && value === 'id')) continue;
    if (rival && isNeeded) doubts.push(`the answer has both ${first.pointer} and ${rival.pointer}`);
    taken.push(first);
    pointers[read] = first.pointer.slice(value === read ? 0 : start.length);
  }
  const what = base === '' ? 'the whole answer' : 'data itself';
  if (isWhole) doubts.push(`the list is ${what}, where checks cannot read it`);
  else if (fields.some(({ pointer }) => pointer.startsWith(`${base}/`))) {
    const lacking = needed.filter((one) => !one.split('|').some((read) => pointers[read]));
    doubts.push(...lacking.map((one) => `the answer has no ${one.replace('|', ' or ')}`));
  }
  if (fields.length > 1 && base === '' && Object.keys(pointers).length > 0)
    doubts.push('the described answer has no envelope');
  return { status, pointers, doubts };
}

/** Finds the same pointers in an actual answer. Allows only names that a recording may show, because others may be personal data. */
export function pointersSeen(gap: string, answer: unknown): Record<string, string> {
  const wanted = wantedOperations.find((one) => one.gap.id === gap);
  if (!wanted) return {};
  const body = fieldsOfValues([answer]);
  const { key, ...pointers } = readAnswer({ answers: [{ status: 200, body }] }, wanted).pointers;
  // An answer may mask the key.
  const isWhole = key !== undefined && !/[*•…]/.test(String(getAt(answer, key)));
  return { ...pointers, ...(isWhole && { key }) };
}

export function hasEnvelope(fields: readonly Field[]): boolean {
  const has = (name: string) => fields.some(({ pointer }) => pointer === `/${name}`);
  return has('code') && (has('data') || has('message'));
}

/** JSON Pointer to the list in an answer; undefined if the answer is about one resource. */
export function findList(fields: readonly Field[]): string | undefined {
  const start = hasEnvelope(fields) ? '/data' : '';
  const isArray = ({ types }: Field) => types.includes('array');
  const arrays = fields.filter(isArray).map(({ pointer }) => pointer);
  if (arrays.includes(start)) return start;
  const place = { fields, start, of: 'site' };
  const [named] = findNamed(place, 'list', isArray);
  const hasItems = (one: string) => fields.some(({ pointer }) => pointer.startsWith(`${one}/*/`));
  const lists = arrays.filter((one) => parentOf(one) === start && hasItems(one));
  const isOnly = lists.length === 1 && findIdentifiers(place, 'site', true).length === 0;
  return named?.pointer ?? (isOnly ? lists[0] : undefined);
}
