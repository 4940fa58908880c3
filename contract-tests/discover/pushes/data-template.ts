// Makes a template from `data` of an event: known values are replaced by their placeholders.
import { isDeepStrictEqual } from 'node:util';
import type { EventName } from '../../../openapi/generated/types.ts';
import { isObject } from '../../../openapi/json.ts';
import { formatPointer } from '../../../openapi/json-pointer.ts';
import { type JsonLeaf, jsonLeavesOf } from '../../core/json-leaves.ts';
import { isJsonNumber, readInteger } from '../../core/parse-json.ts';
import type { EventValues } from './event-causes.ts';

interface TemplateOptions {
  /** The known values, by placeholder. */
  values: readonly (readonly [string, unknown])[];
  /** All placeholders of the event. */
  known: readonly string[];
  /** Pointers of values that are not placeholders. */
  constants: readonly string[];
}

/** A template that yields these data for the same values. */
export function toTemplate(node: unknown, options: TemplateOptions, pointer = ''): unknown {
  const { values, constants } = options;
  if (constants.includes(pointer)) return node;
  const known = findValue(node, options);
  if (known) return `{${known[0]}}`;
  if (Array.isArray(node)) return node.map((item, index) => toTemplate(item, options, `${pointer}/${index}`));
  if (typeof node === 'object' && node !== null) {
    const entries = Object.entries(node).filter(([, part]) => !isVolatile(part) || findValue(part, options));
    return Object.fromEntries(
      entries.map(([key, part]) => [key, toTemplate(part, options, pointer + formatPointer([key]))]),
    );
  }
  if (typeof node !== 'string') return node;
  if (isUnknownMessage(node, options)) return '{message}';
  return values.reduce<string>((text, [name, value]) => replaceWord(text, String(value), `{${name}}`), node);
}

/** What two templates have in common; undefined where that is nothing. */
export function commonPart(one: unknown, other: unknown): unknown {
  if (isDeepStrictEqual(one, other)) return one;
  if (!isObject(one) || !isObject(other)) return undefined;
  const common = Object.entries(one).map(([key, part]) => [key, commonPart(part, other[key])] as const);
  const left = common.filter(([, part]) => part !== undefined);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** A template without the members that are numbers, which may be others in another event. */
export function withoutNumbers(template: unknown): unknown {
  if (!isObject(template)) return template;
  const members = Object.entries(template).filter(([, part]) => !isJsonNumber(part));
  return Object.fromEntries(members.map(([key, part]) => [key, withoutNumbers(part)]));
}

function findValue(node: unknown, { values }: TemplateOptions) {
  return values.find(
    ([, value]) => isDeepStrictEqual(value, node) || (typeof node === 'string' && String(value) === node),
  );
}

/** Times and numbers that another event would not have. */
function isVolatile(value: unknown): boolean {
  if (isJsonNumber(value)) return Math.abs(Number(value)) > 1_000_000;
  return typeof value === 'string' && (/^\d{4}-\d\d-\d\dT/.test(value) || /^[0-9a-f-]{32,}$/i.test(value));
}

/** Without known values, a text of several words is the message. */
function isUnknownMessage(text: string, { values, known }: TemplateOptions): boolean {
  return values.length === 0 && known.length === 1 && known[0] === 'message' && /\S\s+\S/.test(text);
}

/** A short value, such as a number, is replaced only as a separate word. */
function replaceWord(text: string, value: string, by: string): string {
  if (value.length >= 8) return text.replaceAll(value, by);
  const at = text.search(new RegExp(`(?<![\\w.])${value.replace(/\W/g, '\\$&')}(?![\\w.])`));
  return value === '' || at < 0 ? text : text.slice(0, at) + by + text.slice(at + value.length);
}

/** The values in the data of a mock's sample event: its long text is known, the others are recognised by their types and names. */
export function guessValues(
  event: EventName,
  data: object,
  sample: string,
): { values: EventValues; constants: string[] } {
  if (event === 'publish.failed') return { values: { message: sample }, constants: [] };
  const { id, constants } = guessId(jsonLeavesOf(data));
  if (event.startsWith('content.')) return { values: { id, title: sample }, constants };
  const word = sampleWord(data, sample);
  if (event === 'comment.created') return { values: { id, text: sample, author: word }, constants };
  const fields = findInnermost(data, (value) => isFields(value, sample));
  return { values: { id, form: word, fields }, constants };
}

const idName = /(^|[/_-])(id|uid|identifier|number|no|key[_-]?id|编号)([/_-]|$)|[a-z](Id|ID)(\/|$)/i;
const constantName = /mode|version|type|kind|status|count|level/i;

function isConstant(name: string): boolean {
  return constantName.test(name) && /^[\w-]*$/.test(name);
}

/** The number under the name of an identifier, if any; other numbers are then constants. */
function guessId(leaves: readonly JsonLeaf[]): { id: unknown; constants: string[] } {
  const numbers = leaves.flatMap((leaf) => {
    const id = numberIn(leaf.value);
    return id === undefined ? [] : [{ ...leaf, id }];
  });
  const named = numbers.filter(({ pointer }) => idName.test(pointer));
  const likely = named.length > 0 ? named : numbers.filter(({ name }) => !isConstant(name));
  const constants = numbers.filter((one) => !likely.includes(one) && isJsonNumber(one.value));
  return { id: likely[0]?.id, constants: constants.map(({ pointer }) => pointer) };
}

/** A whole number, alone or in a text. */
function numberIn(value: unknown): number | bigint | undefined {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return value;
  const text = typeof value === 'string' ? /(?<![\w.-])\d+(?![\w.])/.exec(value)?.[0] : undefined;
  return text === undefined ? undefined : readInteger(text);
}

/** The name of a form or a person in a sample event. */
function sampleWord(data: object, sample: string): unknown {
  const texts = jsonLeavesOf(data).filter(
    ({ value }) => typeof value === 'string' && !value.includes(sample),
  );
  if (texts.some(({ value }) => /\btest\b/.test(String(value)))) return 'test';
  return texts.find(({ name }) => /form|author|user/i.test(name))?.value;
}

/** Whether a value is an object with nothing but the long text. */
function isFields(value: unknown, sample: string): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const inside = Object.values(value);
  return inside.length === 1 && inside[0] === sample;
}

function findInnermost(node: unknown, fits: (value: unknown) => boolean): unknown {
  if (typeof node !== 'object' || node === null) return undefined;
  const inside = Object.values(node).map((part) => findInnermost(part, fits));
  return inside.find((found) => found !== undefined) ?? (fits(node) ? node : undefined);
}
