// What is pushed, and how it may be answered.
import { setTimeout as sleep } from 'node:timers/promises';
import { odd } from './odd-texts.ts';
import { closed, headOf, type Push } from './send.ts';

export interface Attack {
  id: string;
  pushes(seeds: readonly number[]): readonly Push[];
  /** Whether they are sent at the same time. */
  sideBySide?: true;
}

const longest = 8_000_000;
const huge = 700 * 2 ** 20;
const megabyte = Buffer.alloc(2 ** 20, 'x');
const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')]);

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

const tooLarge: readonly Push[] = [
  {
    name: 'a body of 700 MiB, announced',
    pieces: function* (started) {
      yield `${headOf(started, `Content-Length: ${huge}`)}\r\n`;
      for (let sent = 0; sent < huge; sent += megabyte.length) yield megabyte;
    },
    answers: [413, closed],
  },
  {
    name: 'a body of 700 MiB in chunks',
    pieces: function* (started) {
      yield `${headOf(started, 'Transfer-Encoding: chunked')}\r\n`;
      for (let sent = 0; sent < huge; sent += megabyte.length) yield chunk;
      yield '0\r\n\r\n';
    },
    answers: [413, closed],
  },
  {
    name: 'a body without end',
    pieces: async function* (started) {
      yield `${headOf(started, 'Transfer-Encoding: chunked')}\r\n`;
      for (;;) {
        yield chunk;
        await sleep(100);
      }
    },
    // The mock reads on, so that a sender sees the answer, until the time is over.
    answers: [408, 413, closed],
  },
  {
    name: 'a body that waits to be invited',
    pieces: (started) => [`${headOf(started, 'Content-Length: 99000000', 'Expect: 100-continue')}\r\n`],
    answers: [408, 413, 417],
  },
];

/** One byte at a time, for ever. */
async function* drip(head: string, make: (index: number) => string) {
  yield head;
  for (let index = 0; ; index++) {
    await sleep(500);
    yield make(index);
  }
}

const dripped: readonly Push[] = [
  ...times(
    100,
    () =>
      ({
        name: 'a dripped body',
        pieces: (started) => drip(`${headOf(started, 'Content-Length: 100000')}\r\n`, () => 'x'),
        answers: [408],
      }) satisfies Push,
  ),
  ...times(
    100,
    () =>
      ({
        name: 'dripped headers',
        pieces: (started) => drip(headOf(started), (index) => `X-${index}: x\r\n`),
        answers: [408],
      }) satisfies Push,
  ),
];

const headers: readonly Push[] = [
  ['10,000 headers', times(10_000, (index) => `X-${index}: x`)],
  ['a header of 10 MB', [`X-Webhook-Signature: ${'a'.repeat(10_000_000)}`]],
  ['10,000 signatures', times(10_000, () => 'X-Webhook-Signature: x')],
].map(([name, lines]) => ({
  name: String(name),
  pieces: (started) => [`${headOf(started, ...(lines as string[]), 'Content-Length: 2')}\r\n{}`],
  answers: [431, closed],
}));

const malformed: readonly Push[] = (
  [
    ['a chunk of no length', ['Transfer-Encoding: chunked'], 'zz\r\n'],
    ['a chunk of a length without end', ['Transfer-Encoding: chunked'], `${'f'.repeat(40)}\r\n`],
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3'], '{} '],
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['a length below zero', ['Content-Length: -1'], ''],
    ['a length that is no number', ['Content-Length: 2e3'], '{}'],
    ['a header without a colon', ['X-Webhook-Signature'], ''],
    ['a NUL in a header', ['X-Webhook-Signature: a\0b', 'Content-Length: 2'], '{}'],
  ] as const
).map(([name, lines, body]) => ({
  name,
  pieces: (started) => [`${headOf(started, ...lines)}\r\n${body}`],
  answers: [400],
}));

const large: readonly Push[] = times(40, (index) => ({
  name: `body ${index} of as much as is read`,
  pieces: (started) => [`${headOf(started, `Content-Length: ${longest}`)}\r\n`, Buffer.alloc(longest, '漢')],
  // Those that do not fit beside the others are refused.
  answers: [200, 401, 408, 413, 503],
}));

export const attacks: readonly Attack[] = [
  { id: 'too large', pushes: () => tooLarge, sideBySide: true },
  { id: 'dripped', pushes: () => dripped, sideBySide: true },
  { id: 'headers', pushes: () => headers },
  { id: 'malformed', pushes: () => malformed },
  { id: 'large side by side', pushes: () => large, sideBySide: true },
  { id: 'odd texts', pushes: odd },
];
