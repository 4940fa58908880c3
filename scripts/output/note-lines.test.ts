import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Note, PushNote, RequestNote } from '../../mock/control/stream/watch.ts';
import type { NamedNote } from '../../mock/worlds/started-worlds.ts';
import { lineOf, painter } from './note-lines.ts';
import { createTeller } from './tell-notes.ts';

const request: RequestNote = {
  type: 'request',
  at: '2026-01-02T03:04:05.678Z',
  method: 'POST',
  path: '/api/v1/auth/tenant/login',
  operation: 'login',
  tenant: 'Harbour Café',
  who: 'mei@harbour-cafe.example',
  status: 200,
  code: 0,
  trace_id: '4bf92f3577b34da6',
  duration_ms: 1.234,
};

const push: PushNote = {
  type: 'push',
  delivery_id: 7,
  event: 'publish.complete',
  channel: 'custom',
  site_id: 101,
  url: 'http://127.0.0.1:4020/',
  number: 2,
  cause: 'retry',
  at: '2026-01-02T03:05:05.000Z',
  status: 500,
  duration_ms: 12.3,
  state: 'pending',
  next_attempt_at: '2026-01-02T03:10:05.000Z',
};

const { who: _who, ...anonymous } = request;
const { status: _status, next_attempt_at: _next, ...unanswered } = push;

test.for<[string, NamedNote, string]>([
  [
    'a request to a world by name',
    { ...request, world: 'pr-4711' },
    '03:04:05.678  [pr-4711]  POST /api/v1/auth/tenant/login  200 code 0  mei@harbour-cafe.example  1.2 ms',
  ],
  [
    'its beginning',
    {
      type: 'world',
      at: '2026-01-01T00:00:00.000Z',
      world: 'pr-4711',
      change: 'begun',
      expires_at: '2026-05-06T07:08:09.000Z',
    },
    '00:00:00.000  [pr-4711]  world begins  expires at 2026-05-06T07:08:09.000Z, by real time',
  ],
  [
    'its end',
    { type: 'world', at: '2026-01-01T00:00:00.000Z', world: 'pr-4711', change: 'expired' },
    '00:00:00.000  [pr-4711]  world has expired',
  ],
  [
    'a request',
    request,
    '03:04:05.678  POST /api/v1/auth/tenant/login  200 code 0  mei@harbour-cafe.example  1.2 ms',
  ],
  [
    'the tenant where nobody else is known',
    { ...anonymous, duration_ms: 123.4 },
    '03:04:05.678  POST /api/v1/auth/tenant/login  200 code 0  Harbour Café  123 ms',
  ],
  [
    'a refusal',
    { ...request, status: 429, code: 42900, refusal: 'too many logins; the window resets at 03:05' },
    '03:04:05.678  POST /api/v1/auth/tenant/login  429 code 42900  mei@harbour-cafe.example  1.2 ms  refused: too many logins; the window resets at 03:05',
  ],
  [
    'a slow answer, and why',
    { ...request, duration_ms: 2001, delay_reason: 'asked for with the Prefer header', forced_by: 'prefer' },
    '03:04:05.678  POST /api/v1/auth/tenant/login  200 code 0  mei@harbour-cafe.example  2.0 s  slow: asked for with the Prefer header',
  ],
  [
    'a forced answer that is no error',
    { ...request, status: 202, forced_by: 'override' },
    '03:04:05.678  POST /api/v1/auth/tenant/login  202 code 0  mei@harbour-cafe.example  1.2 ms  asked for with an override',
  ],
  [
    'a slow answer that nobody held back',
    { ...request, duration_ms: 1000 },
    '03:04:05.678  POST /api/v1/auth/tenant/login  200 code 0  mei@harbour-cafe.example  1.0 s  slow: the body came late, or the machine is busy',
  ],
  [
    'a request that could not be read',
    { type: 'request', at: request.at, method: '', path: '', status: 400, trace_id: '1', duration_ms: 0 },
    '03:04:05.678  (a request that could not be read)  400  0 ms',
  ],
  [
    'a push that will be retried',
    push,
    '03:05:05.000  push 7 publish.complete  attempt 2  http://127.0.0.1:4020/  500  12 ms  next 03:10:05.000 (in 5 min)',
  ],
  [
    'a push without an answer',
    {
      ...unanswered,
      error: 'ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:4020',
      number: 4,
      state: 'given-up',
    },
    '03:05:05.000  push 7 publish.complete  attempt 4  http://127.0.0.1:4020/  ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:4020  12 ms  given up',
  ],
  [
    'what a robot refused, sent again',
    {
      ...unanswered,
      status: 200,
      refusal: 'keywords not in content',
      cause: 'redelivery',
      state: 'delivered',
    },
    '03:05:05.000  push 7 publish.complete  attempt 2, sent again  http://127.0.0.1:4020/  200  12 ms  refused: keywords not in content  delivered',
  ],
  [
    'a slow receiver',
    { ...unanswered, status: 200, duration_ms: 4200, state: 'delivered' },
    '03:05:05.000  push 7 publish.complete  attempt 2  http://127.0.0.1:4020/  200  4.2 s  slow: the receiver took that long  delivered',
  ],
  [
    'the clock',
    { type: 'clock', mode: 'manual', now: '2026-01-02T03:05:05.000Z' },
    '03:05:05.000  clock at 2026-01-02T03:05:05.000Z  stands still',
  ],
])('%s is told in a line', ([, note, want]) => {
  expect(lineOf(note, painter(false))).toBe(want);
});

test.for([
  [{ ...request, path: '/\u009b2J\u202e' }, '  POST /\\u009b2J\\u202e  '],
  [{ ...request, who: 'a\u001b]0;x\u0007\nb' }, '  a\\u001b]0;x\\u0007\\nb  '],
  [{ ...request, refusal: 'no "\r\u001b[2K" here' }, '  refused: no "\\u000d\\u001b[2K" here'],
  [{ ...push, event: 'x\u001b[1A' }, '  push 7 x\\u001b[1A  '],
  [{ ...push, url: 'http://\u009b/' }, '  http://\\u009b/  '],
  [{ ...unanswered, error: '\u001b[31m' }, '  \\u001b[31m  '],
  [{ ...push, refusal: '\u0007' }, '  refused: \\u0007  '],
] as const)('no text of others commands a terminal: %j', ([note, want]) => {
  const line = lineOf(note, painter(false));
  expect(line).toContain(want);
  expect(line).not.toMatch(/\p{Cc}/u);
});

test('a long text is cut', () => {
  const line = lineOf({ ...request, path: `/${'a'.repeat(5000)}` }, painter(false));
  expect(line).toContain(`POST /${'a'.repeat(294)}…  200`);
});

test.for([
  [200, 32],
  [401, 33],
  [503, 31],
] as const)('status %i has colour %i, where there are colours', ([status, colour]) => {
  expect(lineOf({ ...request, status }, painter(true))).toContain(
    `\u001b[${colour}m${status} code 0\u001b[0m`,
  );
});

describe('tell notes', () => {
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
});
