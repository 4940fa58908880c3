import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createEnding } from '../core/ending.ts';
import { drip, listenTo } from '../testing.ts';
import { type ClockReading, type Control, ControlError, createControl, openControl } from './control-api.ts';
import { createMovedClock, createRealClock } from './deployment-clock.ts';

test.for([
  ['no JSON', 'text/html', '<h1>Hello</h1>', 200],
  ['no time', 'application/json', '{}', 200],
  ['a refusal', 'application/json', '{"error":"a control token is needed"}', 401],
] as const)('refuses an address that answers with %s', async ([, type, body, status]) => {
  await using server = await serve(type, body, status);
  const opened = openControl(server.origin, undefined);
  await expect(opened).rejects.toThrow(ControlError);
  await expect(opened).rejects.toThrow(/^--control-url http:\S+ is not the control API of a mock/);
});

test('sends the token as Bearer', async () => {
  await using server = await serve('application/json', '{"mode":"manual","now":"2026-01-02T03:04:05Z"}', 200);
  await openControl(`${server.origin}/`, 't0ken');
  expect(server.seen).toEqual(['GET /clock Bearer t0ken']);
});

test('gives up on a very long answer', async () => {
  await using server = await serve('application/json', `{"now":"${' '.repeat(9_000_000)}"}`, 200);
  await expect(openControl(server.origin, undefined)).rejects.toThrow('its body is longer than 8 MB');
});

test('does not follow redirects', async () => {
  await using server = await serve('application/json', '{"now":"2026-01-02T03:04:05Z"}', 302, {
    Location: '/elsewhere',
  });
  await expect(openControl(server.origin, undefined)).rejects.toThrow('refused GET /clock: 302');
  expect(server.seen).toEqual(['GET /clock undefined']);
});

test.for(['-000001-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', 1e308, [['2026']], null])(
  'a clock at %j shows no time',
  async (now) => {
    await using server = await serve('application/json', JSON.stringify({ now, mode: 'manual' }), 200);
    await expect(openControl(server.origin, undefined)).rejects.toThrow('the control API returned no time');
  },
);

test('a later refusal is a ControlError too', async () => {
  await using server = await serve('application/json', '[]', 200);
  await expect(createControl(server.origin, undefined).drain()).rejects.toThrow(ControlError);
  await expect(createControl('http://127.0.0.1:9/_mock', undefined).drain()).rejects.toThrow(ControlError);
});

test('refuses a health answer without a profile', async () => {
  await using server = await serve('application/json', '{"profile":{"name":7,"values":null}}', 200);
  await expect(createControl(server.origin, undefined).readProfile()).rejects.toThrow('returned no profile');
});

test('ends a moment after an interruption, even during a slow answer', async () => {
  const stopping = new AbortController();
  await using server = await listenTo(createServer((_request, response) => drip(response)));
  const read = createControl(server.origin, undefined, createEnding(stopping.signal)).readClock();
  setTimeout(() => stopping.abort(), 50);
  const startedAt = performance.now();
  await expect(read).rejects.toThrow('the run was interrupted');
  expect(performance.now() - startedAt).toBeLessThan(2_500);
});

async function serve(type: string, body: string, status: number, headers: Record<string, string> = {}) {
  const seen: string[] = [];
  const server = createServer(({ method, url, headers: { authorization } }, response) => {
    seen.push(`${method} ${url} ${authorization}`);
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);
  });
  return { ...(await listenTo(server)), seen };
}

const start = Date.parse('2026-01-02T03:04:05Z');

test('moves the clock in one step without marks', async () => {
  const { clock, moves } = await openClock();
  await clock.pass(36 * 60_000, 'retries');
  expect(moves).toEqual([2_160_000]);
  expect(clock.now()).toBe(start + 2_160_000);
});

test('stops at the marks on the way, in order', async () => {
  const { clock, moves } = await openClock();
  for (const ms of [65_000, 55_000, 300_000, -5]) clock.mark(start + ms);
  await clock.waitUntil(start + 90_000, 'a retry');
  expect(moves).toEqual([55_000, 10_000, 25_000]);
});

test('times during an advance cover the whole step', async () => {
  const seen: unknown[] = [];
  const { control } = fakeControl(() => seen.push(clock.moment()));
  const clock = await createMovedClock(control);
  await clock.pass(60_000, 'a retry');
  expect(seen).toEqual([{ from: start, to: start + 60_000 }]);
  expect(clock.moment()).toEqual({ from: start + 60_000, to: start + 60_000 });
});

test('never moves the clock back', async () => {
  const { clock, moves } = await openClock();
  await clock.waitUntil(start - 1, 'the past');
  expect(moves).toEqual([]);
});

test('ends the wait if the clock does not move', async () => {
  const { control } = fakeControl();
  const clock = await createMovedClock({ ...control, advance: () => control.readClock() });
  await expect(clock.pass(60_000, 'a retry')).rejects.toThrow('did not move its clock');
});

test('announces waits of more than a second on the real clock, and ends them with the signal', async () => {
  const controller = new AbortController();
  const waits: [number, string][] = [];
  const clock = createRealClock((until, what) => waits.push([until - Date.now(), what]), controller.signal);
  const waiting = clock.pass(60_000, 'the retries of a push');
  controller.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await clock.pass(1, 'nothing');
  expect(waits).toEqual([[expect.closeTo(60_000, -3), 'the retries of a push']]);
});

async function openClock() {
  const { control, moves } = fakeControl();
  return { clock: await createMovedClock(control), moves };
}

/** A manual clock of a mock. */
function fakeControl(onMove: () => void = () => {}): { control: Control; moves: number[] } {
  const moves: number[] = [];
  const reading = (): ClockReading => ({
    mode: 'manual',
    now: start + moves.reduce((sum, ms) => sum + ms, 0),
  });
  const control = {
    readClock: async () => reading(),
    advance: async (ms: number) => {
      onMove();
      moves.push(ms);
      return reading();
    },
  };
  return { control: control as unknown as Control, moves };
}
