// What stands last in a path and is a part of what stands before it, or something beside it: "/sites/{siteId}/data", "/sites/{siteId}/delete-token".
import type { DescribedOperation } from '../described-operation.ts';
import type { WantedOperation } from '../wanted-operations.ts';
import { type Word, wordsOf } from '../words/words.ts';

/** The word, if any. */
export function namesPart(
  { path, seen }: DescribedOperation,
  { verb, resource }: WantedOperation,
): string | undefined {
  const segments = path.split('/').filter(Boolean);
  const last = segments.at(-1) ?? '';
  if (last.includes('{')) return undefined;
  const words = wordsOf(last).filter(({ text }) => !endings.test(text));
  const part =
    verb === 'delete' ? words.find(({ concept }) => concept !== undefined && parts.has(concept)) : undefined;
  const word = words.at(-1);
  if (part || !word) return part?.text;
  const before = [...segments.slice(0, -1).flatMap(wordsOf), ...words.slice(0, -1)];
  const isOther =
    isValue(word, before, resource) ||
    /^views$/.test(word.text) ||
    (/^subscri/.test(word.text) && resource !== 'subscription' && resource !== 'delivery') ||
    // "/publishes/3/read" marks it, or counts it; "/article/read" reads one.
    (seen !== undefined && /^(read|view)$/.test(last) && (segments.at(-2)?.includes('{') ?? false));
  return isOther ? word.text : undefined;
}

const parts: ReadonlySet<string> = new Set(['data', 'log', 'status']);

/** Of files and frameworks. */
const endings = /^(json|php|do|action|jsp|aspx|cgi)$/;

/** A token, code or slug of something; a token may be what keys are called, too, and an item may be read by its slug. */
function isValue({ text, concept }: Word, before: readonly Word[], resource: string): boolean {
  if (concept === 'token') return resource !== 'key' || before.some((one) => one.concept === 'key');
  return /^(code|slug)s?$/.test(text) && before.at(-1)?.text !== 'by';
}
