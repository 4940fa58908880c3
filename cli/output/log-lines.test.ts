import { EventEmitter } from 'node:events';
import { WriteStream } from 'node:tty';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PushNote, RequestNote } from '../../mock/control/stream/watch.ts';
import type { NamedNote } from '../../mock/worlds/started-worlds.ts';
import { createLogWriter, lineOf, type Paint } from './log-lines.ts';

const plain: Paint = (_colour, text) => text;

const request: RequestNote = {
  type: 'request',
  at: '2026-01-02T03:04:05.678Z',
  method: 'POST',
  path: '/login',
  operation: 'login',
  tenant: 'Harbour Café',
  who: 'mei@harbour.example',
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

const world = { type: 'world', at: '2026-01-01T00:00:00.000Z', world: 'pr-4711' } as const;
const clock = { type: 'clock', mode: 'manual', now: '2026-01-02T03:05:05.000Z' } as const;
const [expires_at, state, duration_ms] = ['2026-05-06', 'given-up', 4200] as const;

const { who: _who, ...anonymous } = request;
const { code: _code, tenant: _tenant, ...unread } = { ...anonymous, method: '', path: '', status: 400 };
const { status: _status, next_attempt_at: _next, ...unanswered } = push;
const delivered = { ...unanswered, status: 200, state: 'delivered' } as const;

test('a line starts with the time of day and the name of the world, unless it is main', () => {
  expect(lineOf(request, plain)).toBe('03:04:05.678  POST /login  200 code 0  mei@harbour.example  1.2 ms');
  expect(lineOf({ ...clock, world: 'pr-4711' }, plain)).toBe(
    '03:05:05.000  [pr-4711]  clock at 2026-01-02T03:05:05.000Z  stopped',
  );
});

const login = 'POST /login  200 code 0  mei@harbour.example';
const sent = 'push 7 publish.complete  attempt 2';
const url = 'http://127.0.0.1:4020/';
const held = { ...request, duration_ms: 2001, delay_reason: 'asked for', forced_by: 'prefer' } as const;

test.for<[string, NamedNote]>([
  [
    '[pr-4711]  world created  expires at 2026-05-06, by real time',
    { ...world, change: 'begun', expires_at },
  ],
  ['[pr-4711]  world expired', { ...world, change: 'expired' }],
  ['clock at 2026-01-02T03:05:05.000Z  running', { ...clock, mode: 'real' }],
  ['(unreadable request)  400  1.2 ms', unread],
  ['POST /login  200 code 0  Harbour Café  123 ms', { ...anonymous, duration_ms: 123.4 }],
  [`${login}  1.2 ms  refused: too many`, { ...request, refusal: 'too many' }],
  [`${login}  2.0 s  slow: asked for`, held],
  [`${login}  1.0 s  slow: the body came late, or the machine is busy`, { ...request, duration_ms: 1000 }],
  [`${login}  1.2 ms  forced by an override`, { ...request, forced_by: 'override' }],
  [`${login}  1.2 ms  forced by the Prefer header`, { ...request, forced_by: 'prefer' }],
  [`${sent}  ${url}  500  12 ms  next 03:10:05.000 (in 5 min)`, push],
  [`${sent}  ${url}  500  12 ms  due`, { ...unanswered, status: 500 }],
  [`${sent}  ${url}  ECONNREFUSED  12 ms  given up`, { ...unanswered, error: 'ECONNREFUSED', state }],
  [`${sent}, sent again  ${url}  200  12 ms  delivered`, { ...delivered, cause: 'redelivery' }],
  [`${sent}  ${url}  200  12 ms  refused: no keyword  delivered`, { ...delivered, refusal: 'no keyword' }],
  [
    `${sent}  ${url}  200  4.2 s  slow: the receiver took that long  delivered`,
    { ...delivered, duration_ms },
  ],
])('%s', ([want, note]) => {
  expect(lineOf(note, plain).slice('03:04:05.678  '.length)).toBe(want);
});

test.for<[string, NamedNote]>([
  ['  POST /\\u009b2J\\u202e  ', { ...request, path: '/\u009b2J\u202e' }],
  [`  POST /${'a'.repeat(294)}…  200`, { ...request, path: `/${'a'.repeat(5000)}` }],
  ['  a\\u001b]0;x\\u0007\\nb  ', { ...request, who: 'a\u001b]0;x\u0007\nb' }],
  ['  refused: no "\\u000d\\u001b[2K" here', { ...request, refusal: 'no "\r\u001b[2K" here' }],
  ['  push 7 x\\u001b[1A  ', { ...push, event: 'x\u001b[1A' }],
  ['  http://\\u009b/  ', { ...push, url: 'http://\u009b/' }],
  ['  \\u001b[31m  ', { ...unanswered, error: '\u001b[31m' }],
  ['  refused: \\u0007  ', { ...push, refusal: '\u0007' }],
])('escapes and shortens texts from outside: %.40s', ([want, note]) => {
  expect(lineOf(note, plain)).toContain(want);
});

test.for<[string, NamedNote]>([
  ['green(200 code 0)', request],
  ['yellow(401 code 0)', { ...request, status: 401 }],
  ['red(503 code 0)', { ...request, status: 503 }],
  ['yellow(refused: x)', { ...request, refusal: 'x' }],
  ['green(200)', delivered],
  ['red(200)', { ...delivered, refusal: 'x' }],
  ['red(500)', push],
])('colours %s', ([want, note]) => {
  expect(lineOf(note, (colour, text) => `${colour}(${text})`)).toContain(want);
});

describe('the log writer', () => {
  const line = '03:05:05.000  clock at 2026-01-02T03:05:05.000Z  stopped\n';

  afterEach(() => vi.unstubAllEnvs());

  /** Records each write. */
  function openStream(isTTY = false) {
    for (const name of ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS', 'CI']) vi.stubEnv(name, undefined);
    const written: string[] = [];
    const write = (bytes: unknown) => written.push(String(bytes)) > 0;
    const { getColorDepth } = WriteStream.prototype;
    return Object.assign(new EventEmitter(), { written, write, isTTY, getColorDepth, writableLength: 0 });
  }

  const error = { type: 'error', message: 'x failed:\n  at \u001b[2J' } as const;

  test('writes a list of notes at once, and an error with its own lines', () => {
    const stream = openStream();
    createLogWriter('text', stream as never)([clock, error]);
    expect(stream.written).toEqual([`${line}x failed:\n  at \\u001b[2J\n`]);
  });

  test('writes one JSON object per line without control characters', () => {
    const stream = openStream(true);
    const notes = [{ ...clock, now: '\u009b2J' }, error];
    createLogWriter('json', stream as never)(notes);
    const lines = stream.written.join('').trimEnd().split('\n');
    expect(lines.map((one) => JSON.parse(one))).toEqual(notes);
    for (const one of lines) expect(one).not.toMatch(/\p{Cc}/u);
  });

  test('drops unread lines, reports their number, and stops when the stream is closed', () => {
    const stream = openStream();
    const tell = createLogWriter('text', stream as never);
    stream.writableLength = 1_000_001;
    tell([clock, clock]);
    tell([clock]);
    expect(stream.written).toEqual([]);
    stream.writableLength = 0;
    tell([clock]);
    tell([clock]);
    const told = [`(3 lines were dropped, because nothing read them)\n${line}`, line];
    expect(stream.written).toEqual(told);
    stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    tell([clock]);
    expect(stream.written).toEqual(told);
  });

  test.for([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
  ] as const)('uses colours on a terminal (%s) with %j: %s', ([isTTY, environment, want]) => {
    const stream = openStream(isTTY);
    for (const [name, value] of Object.entries({ TERM: 'xterm', ...environment })) vi.stubEnv(name, value);
    createLogWriter('text', stream as never)([clock]);
    expect(stream.written.join('').includes('\u001b[')).toBe(want);
  });
});
