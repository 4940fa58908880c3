import { describe, expect, test } from 'vitest';
import { openMock, profileWith, type TestMock } from '../testing/open-mock.ts';
import { countsFrom, freesAt, liveCalls, type WindowKind } from './rate-limits.ts';

async function logIn({ codesOf, mei }: TestMock, times: number, password = mei.password): Promise<string[]> {
  const codes = await codesOf(...Array(times).fill(['login', { username: mei.username, password }]));
  return codes.map((code) => (code === 0 ? 'in' : code === 42900 ? 'limited' : 'refused'));
}

const openWith = (limits: Record<string, unknown>) => openMock(profileWith(limits));

const tenIn = Array<string>(10).fill('in');

test('does not limit unknown usernames', async () => {
  const mock = openMock();
  await logIn(mock, 10);
  const codes = await mock.codesOf(...Array(12).fill(['login', { username: 'x', password: 'x' }]));
  expect(new Set(codes)).toEqual(new Set([40102]));
});

test('counts failed logins, even with an invalid body', async () => {
  const mock = openMock();
  await logIn(mock, 9, 'wrong');
  await mock.perform('login', { username: mock.mei.username });
  expect(await logIn(mock, 1)).toEqual(['limited']);
});

test('does not count failed logins, if the profile says so', async () => {
  const mock = openWith({ 'limits.failed-logins': 'not-counted' });
  await logIn(mock, 12, 'wrong');
  expect(await logIn(mock, 11)).toEqual([...tenIn, 'limited']);
  expect(await logIn(mock, 1, 'wrong')).toEqual(['limited']);
});

test('a lock after too many logins refuses all, even if the window has room', async () => {
  const mock = openWith({ 'limits.lock': 120, 'limits.retry-after': 'sent' });
  await logIn(mock, 10);
  mock.clock.time += 60_000;
  // Reaching the limit does not lock.
  expect(await logIn(mock, 10)).toEqual(tenIn);
  mock.clock.time += 50_000;
  const { headers } = await mock.perform('login', { ...mock.mei });
  expect(headers['retry-after']).toBe('120');
  mock.clock.time += 119_999;
  expect(await logIn(mock, 1)).toEqual(['limited']);
  mock.clock.time += 1;
  expect(await logIn(mock, 11)).toEqual([...tenIn, 'limited']);
});

test('clearing a limit also clears its lock', async () => {
  const mock = openWith({ 'limits.lock': 120 });
  await logIn(mock, 11);
  mock.control.clearLimits(1);
  expect(await logIn(mock, 1)).toEqual(['in']);
});

test.each([
  ['sent', '40'],
  ['not-sent', undefined],
])('with Retry-After %s, a refusal has %s', async (value, want) => {
  const mock = openWith({ 'limits.retry-after': value });
  await logIn(mock, 10);
  mock.clock.time += 20_500;
  const { headers, envelope } = await mock.perform('login', { ...mock.mei });
  const next = 'try again at 2026-01-02T03:05:05.000Z';
  const message = `more than 10 logins a minute for this tenant; ${next}`;
  expect([headers['retry-after'], envelope.message]).toEqual([want, message]);
});

describe.each([
  ['publishSite', 'note'],
  ['failPublish', 'note'],
  ['askAi', 'prompt'],
] as const)('%s', (id, field) => {
  const call = ({ codeOf }: TestMock, token: string, siteID: number, number = 0) =>
    codeOf(id, { siteID, [field]: `number ${number}` }, token);

  test('does not count a call that is refused for another reason', async () => {
    const mock = openMock();
    for (let count = 0; count < 12; count++) await call(mock, mock.harbourKey, 999);
    expect(await call(mock, mock.harbourKey, 101)).toBe(0);
  });

  test('has a separate limit for each tenant', async () => {
    const mock = openMock();
    for (let number = 0; number < 10; number++)
      expect(await call(mock, mock.harbourKey, 101, number)).toBe(0);
    expect(await call(mock, mock.harbourKey, 101, 10)).toBe(42900);
    expect(await call(mock, mock.blumenKey, 201)).toBe(0);
  });
});

test.each<[WindowKind, number[], number[], number?]>([
  ['sliding', [5_000, 30_000], [65_000, 90_000]],
  ['sliding', [5_000, 64_999], [65_000, 124_999]],
  ['sliding', [5_000, 65_000], [125_000]],
  ['fixed', [5_000, 30_000], [65_000, 65_000]],
  ['fixed', [5_000, 65_000], [125_000]],
  ['fixed', [5_000, 30_000], [80_000, 80_000], 15_000],
  ['aligned', [5_000, 59_999], [60_000, 60_000]],
  ['aligned', [5_000, 60_000], [120_000]],
  ['token-bucket', [5_000, 5_000, 5_000], [11_000, 17_000, 23_000]],
  ['token-bucket', [5_000, 5_000, 12_000], [17_000, 23_000]],
  ['token-bucket', [5_000, 5_000], [8_000, 11_000], -30_000],
  ['paced', [5_000], [11_000]],
])('in a %s window, calls at %j count until %j', (kind, times, want, extraMs = 0) => {
  let starts: number[] = [];
  for (const time of times) {
    const live = liveCalls(starts, time);
    starts = [...live, countsFrom(live, time, { kind, most: 10, extraMs })];
  }
  const ends = starts.map((begin) => begin + 60_000);
  expect([ends, freesAt(starts)]).toEqual([want, want[0]]);
});

test('the profile chooses the window', async () => {
  const mock = openWith({ 'limits.window': 'paced' });
  expect(await logIn(mock, 2)).toEqual(['in', 'limited']);
  mock.clock.time += 6_000;
  expect(await logIn(mock, 2)).toEqual(['in', 'limited']);
});
