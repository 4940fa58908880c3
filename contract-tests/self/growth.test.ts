// @module-tag nightly
// Functions that process foreign texts take linear time.
import { expect, test } from 'vitest';
import {
  redactAddress,
  redactBody,
  redactHeaders,
  redactPath,
  redactText,
  redactTokens,
} from '../../mock/control/redact-request.ts';
import { describeAnswer, type Exchange } from '../core/exchange.ts';
import { visibleLines } from '../core/visible-text.ts';
import { hintedNames } from '../discover/names/hints.ts';
import { toTemplate } from '../discover/pushes/data-template.ts';
import { learnTokens } from '../redaction/learn-tokens.ts';
import { createSecrets } from '../redaction/redact.ts';
import { harOf } from '../reports/har.ts';
import { code, escapeMarkdown, fence } from '../reports/markdown-text.ts';
import { resemblesId } from '../subscriptions/lenient-values.ts';
import { exchangeOf } from '../testing.ts';

const pieces = [
  ...'a 1 \\ % & &# … . " \' { [ %25 &amp; \\u0061 \\u{ %C3 asp_ st_ zst_a http:// /hook/ ?'.split(' '),
  ..."a=b& passw corp\\mei ....//// '\\'' 61 ` - \\\\ YWFh a.a {SITEPUB_ S3cret S3cret… $A ( é 😀".split(' '),
  ...[' ', '\n', '\n ', '\r\n', ':', '##a', '\u202e', 'need ', 'is '],
];

const secrets = createSecrets();
for (const secret of [
  `corp\\mei${'\\'.repeat(40)}`,
  '....////====&&&&',
  'a'.repeat(40),
  'asp_'.repeat(8),
  'S3cret-word-1',
])
  secrets.add('SITEPUB_PASSWORD', secret);
for (let index = 0; index < 1_000; index += 1) secrets.add('SITEPUB_TOKEN', `st_0123456789abcdef${index}`);

const nowhere = { names: ['x'], pointers: ['/data/a'] };
const works: Readonly<Record<string, (text: string) => unknown>> = {
  'redaction in reports': secrets.redact,
  "the journal's texts": redactText,
  "the journal's paths": redactPath,
  "the journal's addresses": redactAddress,
  "the journal's headers": (text) => redactHeaders({ authorization: text, 'x-note': `Bearer ${text}` }),
  "the journal's bodies": (text) =>
    redactBody(JSON.stringify({ data: { [text]: text, a: [text] } }), nowhere),
  'tokens in foreign texts': redactTokens,
  'tokens in an answer that issues one': (text) =>
    learnTokens({ exchanges: [login(text)], secrets: createSecrets() }),
  'an answer in HAR': (text) => harOf([login(text)], { version: '1', redact: (one) => one }),
  'a body that is not JSON': (text) => describeAnswer(exchangeOf(undefined, { text })),
  'hints in refusals': (text) =>
    hintedNames(exchangeOf({ code: 1, message: text, errors: [{ field: text }] })),
  'values of events': (text) => toTemplate({ [text]: text }, { values: [['id', 'a1']], known: [] }),
  'texts in Markdown': (text) => [escapeMarkdown(`${text}x`), code(`x${text}x`), fence(text, 'json')],
  'visible texts': visibleLines,
  'identifiers that resemble one another': (text) => resemblesId(`${text}x`, text),
};

function login(text: string): Exchange {
  const headers = { location: `/cb?x=${text}`, 'x-y': text };
  return { ...exchangeOf({ code: 0, data: { x: text, [text]: 1 } }, { headers }), operation: 'login' };
}

test.for(Object.entries(works))('%s', { timeout: 120_000 }, ([, work]) => {
  work('a'.repeat(100));
  const slow = pieces.filter(
    (piece) => growthOf((length) => work(piece.repeat(length / piece.length))) > mostGrowth,
  );
  expect(slow).toEqual([]);
});

/** For ten times the length: quadratic time would be 100 times, and a busy machine needs a margin. */
const mostGrowth = 30;

/** Shorter times are noise. */
const floorMs = 15;

/** CPU time of 100,000 characters (minimum) divided by that of 10,000 (median). */
function growthOf(work: (length: number) => unknown): number {
  if (msOf(work, 100_000) < floorMs * mostGrowth) return 1;
  const long = [1, 2, 3, 4, 5].map(() => msOf(work, 100_000));
  // The median ignores runs that are quick by chance.
  const short = Array.from({ length: 9 }, () => msOf(work, 10_000)).sort((one, other) => one - other);
  return Math.min(...long) / Math.max(floorMs, short[4] ?? 0);
}

function msOf(work: (length: number) => unknown, length: number): number {
  const before = process.threadCpuUsage();
  work(length);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
