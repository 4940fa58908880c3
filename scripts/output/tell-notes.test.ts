import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Note } from '../../mock/control/watch.ts';
import { createTeller } from './tell-notes.ts';

const clock: Note = { type: 'clock', mode: 'real', now: '2026-01-02T03:05:05.000Z' };
const line = '03:05:05.000  clock at 2026-01-02T03:05:05.000Z  runs\n';

beforeEach(() => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'TERM']) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

/** A stream that keeps what is written to it, one text for each write. */
function openStream(isTTY = false) {
  const written: string[] = [];
  const write = (bytes: unknown) => written.push(String(bytes)) > 0;
  return Object.assign(new EventEmitter(), { written, write, isTTY, writableLength: 0 });
}

test('notes that come together are written together', () => {
  const stream = openStream();
  createTeller('text', stream as never)([clock, clock]);
  expect(stream.written).toEqual([line + line]);
});

test('as JSON, one object a line, harmless for a terminal and the same when read', () => {
  const stream = openStream(true);
  const note: Note = { ...clock, now: '\u009b2J' };
  createTeller('json', stream as never)([note, clock]);
  const [first = '', second = ''] = stream.written.join('').split('\n');
  expect(first).not.toMatch(/\p{Cc}/u);
  expect([JSON.parse(first), JSON.parse(second)]).toEqual([note, clock]);
});

test('a mistake of the mock is one object too, or its own lines', () => {
  const [json, text] = [openStream(), openStream()];
  const failure = { type: 'error', message: 'x failed:\n  at \u001b[2J' } as const;
  createTeller('json', json as never)([failure]);
  createTeller('text', text as never)([failure]);
  expect(JSON.parse(json.written.join())).toEqual(failure);
  expect(json.written.join().trimEnd()).not.toMatch(/\p{Cc}/u);
  expect(text.written).toEqual(['x failed:\n  at \\u001b[2J\n']);
});

test('a stream that nobody reads loses lines, and is told how many', () => {
  const stream = openStream();
  const tell = createTeller('text', stream as never);
  stream.writableLength = 1_000_001;
  tell([clock, clock]);
  tell([clock]);
  expect(stream.written).toEqual([]);
  stream.writableLength = 0;
  tell([clock]);
  tell([clock]);
  expect(stream.written).toEqual([`(3 lines were dropped, since nobody read them)\n${line}`, line]);
});

test('a stream that was closed ends the telling, and not the mock', () => {
  const stream = openStream();
  const tell = createTeller('json', stream as never);
  stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  tell([clock]);
  expect(stream.written).toEqual([]);
});

test.for([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '' }, false],
] as const)('a terminal: %s, with %j: colour %s', ([isTTY, environment, want]) => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const stream = openStream(isTTY);
  createTeller('text', stream as never)([clock]);
  expect(stream.written.join('').includes('\u001b[')).toBe(want);
});
