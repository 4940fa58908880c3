// What a tool answers, made fit to hand on: without secrets, with everything visible, and of bounded size.

import { visible, visibleLines } from '../../contract-tests/core/visible-text.ts';
import { isObject } from '../../openapi/json.ts';

/** A whole answer as JSON, in characters. */
const longestAnswer = 60_000;

/** How long a text, and how many members an array or object may have; the next pair is tried where an answer is too long. */
const bounds = [
  { text: 4_000, members: 1_000 },
  { text: 600, members: 200 },
  { text: 120, members: 60 },
] as const;

type Bound = (typeof bounds)[number];

/** Deeper values are left out. */
const deepest = 24;

type Redact = (text: string) => string;

/** The same data without secrets, in visible characters; what is too long is cut, and says so. */
export function harmlessData(value: object, redact: Redact): Record<string, unknown> {
  for (const bound of bounds) {
    const data = clean(value, { redact, bound, depth: 0 });
    if (isObject(data) && JSON.stringify(data).length <= longestAnswer) return data;
  }
  return { too_long: 'the answer is too long even when its texts are cut; ask for less, such as with limit' };
}

/** A sentence in one line: for messages of errors and progress. */
export function harmlessSentence(text: string, redact: Redact): string {
  return cut(visible(redact(text)), 1_000);
}

interface Walk {
  redact: Redact;
  bound: Bound;
  depth: number;
}

function clean(value: unknown, walk: Walk): unknown {
  const { redact, bound, depth } = walk;
  // Redacted as a whole first: half a secret is not recognized.
  if (typeof value === 'string') return cut(visibleLines(redact(value)), bound.text);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '…';
  const below = { ...walk, depth: depth + 1 };
  if (Array.isArray(value)) {
    const kept = value.slice(0, bound.members).map((item) => clean(item, below));
    return value.length > kept.length ? [...kept, `… and ${value.length - kept.length} more`] : kept;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const kept = members.slice(0, bound.members);
  const left = members.length - kept.length;
  return Object.fromEntries([
    ...kept.map(([name, member]) => [cut(visible(redact(name)), 200), clean(member, below)]),
    ...(left > 0 ? [['…', `and ${left} more`]] : []),
  ]);
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}… (${text.length - longest} more characters)`;
}
