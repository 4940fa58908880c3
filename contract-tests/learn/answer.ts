// Where an answer has the values that a gap reads.
import { getAt, parentOf } from '../../openapi/json-pointer.ts';
import type { DescribedOperation, Field } from './described-operation.ts';
import { fieldsOfValues } from './fields.ts';
import { findIdentifiers, findNamed } from './named-fields.ts';
import { isShownName } from './recording/shown.ts';
import { isCreating, type WantedOperation, wantedOperations } from './wanted-operations.ts';

export interface Answer {
  status: number | undefined;
  /** JSON Pointers by the names of the reads; those of items from the item. */
  pointers: Readonly<Record<string, string>>;
  /** Whether recorded paths had its version in them. */
  isVersionSent: boolean;
  /** What keeps people from being sure of it, a sentence each. */
  doubts: readonly string[];
}

export function readAnswer(
  { answers }: Pick<DescribedOperation, 'answers'>,
  { gap, verb, resource: of, answers: needed = [] }: WantedOperation,
): Answer {
  const telling = answers.filter(({ body = [] }) => body.length > 1);
  // A creation answers with 201 if that is described as well.
  const created = isCreating({ verb }) ? telling.find((one) => one.status === 201) : undefined;
  const { status, body: fields = [] } = created ?? telling[0] ?? answers[0] ?? { status: undefined };
  const base = baseOf(fields);
  const list = findList(fields);
  const pointers: Record<string, string> = {};
  const isOpen = telling.length === 0 && answers.length > 1;
  const doubts = isOpen ? ['which of several statuses it answers with is not said'] : [];
  const taken: Field[] = [];
  for (const read of gap.reads ?? []) {
    const value = read.replace('item.', '');
    const start = value === read ? base : `${list}/*`;
    const place = { fields: fields.filter((field) => !taken.includes(field)), start, of };
    const isList = (field: Field) => field.pointer === list && list !== base;
    const named = value === 'list' ? fields.filter(isList) : findNamed(place, value, fitting[value]);
    const [first, rival] = value === 'id' ? preferSent(findIdentifiers(place, of, true)) : named;
    const isNeeded = needed.some((reads) => reads.split('|').includes(read));
    if (!first || (rival && !isNeeded && value === 'id')) continue;
    if (rival && isNeeded) doubts.push(`its answer has ${first.pointer} and ${rival.pointer}`);
    taken.push(first);
    pointers[read] = first.pointer.slice(value === read ? 0 : start.length);
  }
  const lacking = needed.filter((reads) => !reads.split('|').some((read) => pointers[read]));
  const isTold = fields.some(({ pointer }) => pointer.startsWith(`${base}/`));
  if (isTold) doubts.push(...lacking.map((reads) => `its answer shows no ${reads.replace('|', ' or ')}`));
  if (fields.length > 1 && !hasEnvelope(fields) && Object.keys(pointers).length > 0)
    doubts.push('its answer is described without the envelope');
  const isVersionSent = taken.some(({ pointer, isSent }) => pointer === pointers.version && isSent);
  return { status, pointers, isVersionSent, doubts };
}

/** The same pointers in an answer that came. Only names that a recording may show are kept: another may be that of a person. */
export function pointersSeen(gap: string, answer: unknown): Record<string, string> {
  const wanted = wantedOperations.find((one) => one.gap.id === gap);
  if (!wanted) return {};
  const body = fieldsOfValues([answer], { isShownName });
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

/** Where the data of an answer is. */
function baseOf(fields: readonly Field[]): string {
  return hasEnvelope(fields) ? '/data' : '';
}

/** Where a list of things is in an answer; undefined if it is about one thing. */
export function findList(fields: readonly Field[]): string | undefined {
  const start = baseOf(fields);
  const isArray = ({ types }: Field) => types.includes('array');
  if (fields.some((field) => field.pointer === start && isArray(field))) return start;
  const place = { fields, start, of: 'site' } as const;
  const [named] = findNamed(place, 'list', isArray);
  const hasItems = ({ pointer }: Field) => fields.some((one) => one.pointer.startsWith(`${pointer}/*/`));
  const isBelow = ({ pointer }: Field) => parentOf(pointer) === start && pointer !== '';
  const lists = fields.filter((field) => isBelow(field) && isArray(field) && hasItems(field));
  const isOnly = lists.length === 1 && findIdentifiers(place, 'site', true).length === 0;
  return (named ?? (isOnly ? lists[0] : undefined))?.pointer;
}

/** What later calls have sent. */
function preferSent(ids: readonly Field[]): readonly Field[] {
  const sent = ids.filter(({ isSent }) => isSent);
  return sent.length > 0 ? sent : ids;
}

const hasType =
  (...types: readonly string[]) =>
  (field: Field) =>
    field.types.some((type) => types.includes(type));

/** What the fields of some reads are; others are texts or numbers. */
const fitting: Readonly<Record<string, (field: Field) => boolean>> = {
  events: () => true,
  attempts: () => true,
  fields: hasType('object', 'array', 'string'),
  state: hasType('string'),
  total: hasType('integer', 'number'),
  pages: hasType('integer', 'number'),
};
