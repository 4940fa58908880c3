import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../openapi/json.ts';
import { isSecretName } from '../../../openapi/secret-names.ts';
import { isJsonNumber } from '../../core/parse-json.ts';

interface TemplateOptions {
  /** By placeholder. */
  values: readonly (readonly [string, unknown])[];
  /** All placeholders of the event. */
  known: readonly string[];
}

/** Replaces known values in `data` of an event by their placeholders. */
export function toTemplate(node: unknown, options: TemplateOptions): unknown {
  const { values } = options;
  const known = findValue(node, options);
  if (known) return `{${known[0]}}`;
  if (Array.isArray(node)) return node.map((item) => toTemplate(item, options));
  if (typeof node === 'object' && node !== null) {
    const entries = Object.entries(node).filter((one) => !isVolatile(one, options));
    return Object.fromEntries(entries.map(([key, part]) => [key, toTemplate(part, options)]));
  }
  if (typeof node !== 'string') return node;
  if (isUnknownMessage(node, options)) return '{message}';
  return values.reduce<string>((text, [name, value]) => replaceWord(text, String(value), `{${name}}`), node);
}

/** Removes members that may be unknown values; undefined if none remains. */
export function withoutConstants(template: unknown): unknown {
  if (typeof template === 'string' && /\{\w+\}/.test(template)) return template;
  if (Array.isArray(template)) {
    const parts = template.map(withoutConstants);
    return parts.length > 0 && isDeepStrictEqual(parts, template) ? template : undefined;
  }
  if (!isObject(template)) return undefined;
  const members = Object.entries(template).map(([key, part]) => [key, withoutConstants(part)] as const);
  const left = members.filter(([, part]) => part !== undefined);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

function findValue(node: unknown, { values }: TemplateOptions) {
  return values.find(
    ([, value]) => isDeepStrictEqual(value, node) || (typeof node === 'string' && String(value) === node),
  );
}

/** Times, large numbers and secrets, which another event would not repeat. */
function isVolatile([name, value]: readonly [string, unknown], options: TemplateOptions): boolean {
  if (findValue(value, options)) return false;
  if (isSecretName(name)) return true;
  if (Array.isArray(value)) return value.some((item) => isVolatile([name, item], options));
  if (isJsonNumber(value)) return Math.abs(Number(value)) > 1_000_000;
  if (typeof value !== 'string') return false;
  const [, ...address] = value.split('://');
  return /^\d{4}-\d\d-\d\dT|^[0-9a-f-]{32,}$/i.test(value) || address.some((part) => /[?#@]/.test(part));
}

/** Without known values, a text of several words must be the message. */
function isUnknownMessage(text: string, { values, known }: TemplateOptions): boolean {
  return values.length === 0 && known.length === 1 && known[0] === 'message' && /\S\s+\S/.test(text);
}

/** Replaces a short value only as a separate word. */
function replaceWord(text: string, value: string, by: string): string {
  if (value.length >= 8) return text.replaceAll(value, by);
  const at = text.search(new RegExp(`(?<![\\w.])${value.replace(/\W/g, '\\$&')}(?![\\w.])`));
  return value === '' || at < 0 ? text : text.slice(0, at) + by + text.slice(at + value.length);
}
