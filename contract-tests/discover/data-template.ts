// Templates from what `data` of an event held: values that are known to have been told give place to their placeholders.
import { isDeepStrictEqual } from 'node:util';
import type { EventName } from '../../openapi/generated/types.ts';
import type { EventValues } from './event-causes.ts';
import { type JsonLeaf, jsonLeavesOf } from './json-leaves.ts';

interface Filling {
  /** What was told, by the names of the placeholders. */
  values: readonly (readonly [string, unknown])[];
  /** All placeholders that there are. */
  known: readonly string[];
  /** Places whose values are no placeholders. */
  kept: readonly string[];
}

/** A template that gives these data where the same is told again. */
export function toTemplate(node: unknown, filling: Filling, at = ''): unknown {
  const { values, kept } = filling;
  if (kept.includes(at)) return node;
  const told = values.find(([, value]) => isSame(value, node));
  if (told) return `{${told[0]}}`;
  if (Array.isArray(node)) return node.map((item, index) => toTemplate(item, filling, `${at}/${index}`));
  if (typeof node === 'object' && node !== null) {
    const entries = Object.entries(node).filter(([, part]) => !isVolatile(part) || isTold(part, filling));
    return Object.fromEntries(
      entries.map(([key, part]) => [key, toTemplate(part, filling, `${at}/${escapePointer(key)}`)]),
    );
  }
  if (typeof node !== 'string') return node;
  if (isUnknownMessage(node, filling)) return '{message}';
  return values.reduce<string>((text, [name, value]) => replaceWord(text, String(value), `{${name}}`), node);
}

function isSame(value: unknown, node: unknown): boolean {
  return isDeepStrictEqual(value, node) || (typeof node === 'string' && String(value) === node);
}

function isTold(node: unknown, { values }: Filling): boolean {
  return values.some(([, value]) => isSame(value, node));
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Times and numbers that another event would not have. */
function isVolatile(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > 1_000_000;
  return typeof value === 'string' && (/^\d{4}-\d\d-\d\dT/.test(value) || /^[0-9a-f-]{32,}$/i.test(value));
}

/** Where nobody knows what was told, a text of several words is it. */
function isUnknownMessage(text: string, { values, known }: Filling): boolean {
  return values.length === 0 && known.length === 1 && known[0] === 'message' && /\S\s+\S/.test(text);
}

/** A short value, such as a number, is replaced where it stands alone. */
function replaceWord(text: string, value: string, by: string): string {
  if (value.length >= 8) return text.replaceAll(value, by);
  const at = text.search(new RegExp(`(?<![\\w.])${value.replace(/\W/g, '\\$&')}(?![\\w.])`));
  return value === '' || at < 0 ? text : text.slice(0, at) + by + text.slice(at + value.length);
}

/** What the data of a mock's sample tell: its long text is known, the other values are told by their kinds and names. */
export function guessValues(
  event: EventName,
  data: object,
  sample: string,
): { told: EventValues; kept: string[] } {
  if (event === 'publish.failed') return { told: { message: sample }, kept: [] };
  const { id, kept } = guessId(jsonLeavesOf(data));
  if (event.startsWith('content.')) return { told: { id, title: sample }, kept };
  const word = sampleWord(data, sample);
  if (event === 'comment.created') return { told: { id, text: sample, author: word }, kept };
  return { told: { id, form: word, fields: firstIn(data, (value) => isFields(value, sample)) }, kept };
}

const idName = /(^|[/_-])(id|uid|identifier|number|no|key[_-]?id|编号)([/_-]|$)|[a-z](Id|ID)(\/|$)/i;
const constantName = /^[\w-]*(mode|version|type|kind|status|count|level)[\w-]*$/i;

/** The number under the name of an identifier, if there is one; other numbers are then constants. */
function guessId(leaves: readonly JsonLeaf[]): { id: unknown; kept: string[] } {
  const numbers = leaves.flatMap((leaf) => {
    const id = numberIn(leaf.value);
    return id === undefined ? [] : [{ ...leaf, id }];
  });
  const named = numbers.filter(({ pointer }) => idName.test(pointer));
  const likely = named.length > 0 ? named : numbers.filter(({ name }) => !constantName.test(name));
  const kept = numbers.filter((one) => !likely.includes(one) && typeof one.value === 'number');
  return { id: likely[0]?.id, kept: kept.map(({ pointer }) => pointer) };
}

/** A whole number of its own, or in a text. */
function numberIn(value: unknown): number | undefined {
  if (Number.isInteger(value)) return Number(value);
  const text = typeof value === 'string' ? /(?<![\w.-])\d+(?![\w.])/.exec(value)?.[0] : undefined;
  return text === undefined ? undefined : Number(text);
}

/** What a sample calls forms and people, or else what stands under such a name. */
function sampleWord(data: object, sample: string): unknown {
  const texts = jsonLeavesOf(data).filter(
    ({ value }) => typeof value === 'string' && !value.includes(sample),
  );
  if (texts.some(({ value }) => /\btest\b/.test(String(value)))) return 'test';
  return texts.find(({ name }) => /form|author|user/i.test(name))?.value;
}

/** An object with nothing but the long text. */
function isFields(value: unknown, sample: string): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const inside = Object.values(value);
  return inside.length === 1 && inside[0] === sample;
}

/** The innermost comes first. */
function firstIn(node: unknown, fits: (value: unknown) => boolean): unknown {
  if (typeof node !== 'object' || node === null) return undefined;
  const inside = Object.values(node).map((part) => firstIn(part, fits));
  return inside.find((found) => found !== undefined) ?? (fits(node) ? node : undefined);
}
