// Where an answer has the values that a gap reads.
import { getAt, parentOf } from '../../openapi/json-pointer.ts';
import type { DescribedOperation, Field } from './described-operation.ts';
import { findIdentifiers, findNamed } from './named-fields.ts';
import { fieldsOfValues } from './recording/shown.ts';
import { type WantedOperation, wantedOperations } from './words.ts';

export type Answer = ReturnType<typeof readAnswer>;

/** Returns JSON Pointers by the names of the reads, those of items from the item, and the doubts about them, a sentence each. */
export function readAnswer(
  { answers }: Pick<DescribedOperation, 'answers'>,
  { gap: { reads = [] }, resource: of, answers: needed = [] }: WantedOperation,
) {
  const told = answers.find(({ body = [] }) => body.length > 1);
  const { status, body: fields = [] } = told ?? answers[0] ?? { status: undefined };
  const base = hasEnvelope(fields) ? '/data' : '';
  const list = findList(fields);
  const isWhole = list === base && reads.includes('list');
  const pointers: Record<string, string> = {};
  const doubts = !told && answers.length > 1 ? ['which of several statuses it answers with is not said'] : [];
  const taken: Field[] = [];
  for (const read of isWhole ? [] : reads) {
    const value = read.replace('item.', '');
    const start = value === read ? base : `${list}/*`;
    const place = { fields: fields.filter((field) => !taken.includes(field)), start, of };
    // These may be lists or objects.
    const fits = ['events', 'attempts', 'fields'].includes(value) ? () => true : undefined;
    const named = value === 'id' ? findIdentifiers(place, of, true) : findNamed(place, value, fits);
    const [first, rival] = value === 'list' ? fields.filter(({ pointer }) => pointer === list) : named;
    const isNeeded = needed.some((one) => one.split('|').includes(read));
    if (!first || (rival && !isNeeded && value === 'id')) continue;
    if (rival && isNeeded) doubts.push(`its answer has ${first.pointer} and ${rival.pointer}`);
    taken.push(first);
    pointers[read] = first.pointer.slice(value === read ? 0 : start.length);
  }
  const what = base === '' ? 'the whole answer' : 'data itself';
  if (isWhole) doubts.push(`the list is ${what}, where checks can't read it`);
  else if (fields.some(({ pointer }) => pointer.startsWith(`${base}/`))) {
    const lacking = needed.filter((one) => !one.split('|').some((read) => pointers[read]));
    doubts.push(...lacking.map((one) => `its answer shows no ${one.replace('|', ' or ')}`));
  }
  if (fields.length > 1 && base === '' && Object.keys(pointers).length > 0)
    doubts.push('its answer is described without the envelope');
  return { status, pointers, doubts };
}

/** The same pointers in an answer that came. Only names that a recording may show are kept: another may be that of a person. */
export function pointersSeen(gap: string, answer: unknown): Record<string, string> {
  const wanted = wantedOperations.find((one) => one.gap.id === gap);
  if (!wanted) return {};
  const body = fieldsOfValues([answer]);
  const { key, ...pointers } = readAnswer({ answers: [{ status: 200, body }] }, wanted).pointers;
  // A part of a key is shown in its place.
  const isWhole = key !== undefined && !/[*•…]/.test(String(getAt(answer, key)));
  return { ...pointers, ...(isWhole && { key }) };
}

/** The code of the service, and its data or message. */
export function hasEnvelope(fields: readonly Field[]): boolean {
  const has = (name: string) => fields.some(({ pointer }) => pointer === `/${name}`);
  return has('code') && (has('data') || has('message'));
}

/** Where a list of things is in an answer; undefined if it is about one thing. */
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
