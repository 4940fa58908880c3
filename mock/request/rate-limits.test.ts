import { describe, expect, test } from 'vitest';
import { openMock, profileWith, start, type TestMock } from '../testing/open-mock.ts';
import { countsFrom, freesAt, liveCalls, type WindowKind } from './rate-limits.ts';

async function logIn({ perform, mei }: TestMock, times: number, password = mei.password): Promise<string[]> {
  const outcomes: string[] = [];
  for (let count = 0; count < times; count++) {
    const { envelope } = await perform('login', { username: mei.username, password });
    outcomes.push(envelope.code === 0 ? 'in' : envelope.code === 42900 ? 'limited' : 'refused');
  }
  return outcomes;
}

const tenTimes = (outcome: string) => Array.from({ length: 10 }, () => outcome);

test('the limit is that of the tenant: a second user shares it, another tenant and unknown names do not', async () => {
  const mock = openMock();
  await logIn(mock, 10);
  const codes = [];
  for (const user of [mock.tom, mock.zoe, { username: 'nobody', password: 'x' }]) {
    codes.push((await mock.perform('login', { ...user })).envelope.code);
  }
  expect(codes).toEqual([42900, 0, 40102]);
});

test('unknown names are never limited', async () => {
  const { perform } = openMock();
  const codes = new Set<number>();
  for (let count = 0; count < 12; count++)
    codes.add((await perform('login', { username: 'x', password: 'x' })).envelope.code);
  expect([...codes]).toEqual([40102]);
});

test('failed logins are counted, also those with an invalid body', async () => {
  const mock = openMock();
  await logIn(mock, 9, 'wrong');
  await mock.perform('login', { username: mock.mei.username });
  expect(await logIn(mock, 1)).toEqual(['limited']);
});

test('failed logins are not counted if the profile says so', async () => {
  const mock = openMock(profileWith({ 'limits.failed-logins': 'not-counted' }));
  await logIn(mock, 12, 'wrong');
  expect(await logIn(mock, 11)).toEqual([...tenTimes('in'), 'limited']);
  expect(await logIn(mock, 1, 'wrong')).toEqual(['limited']);
});

test.each([
  ['sliding', 20_000, 59_999, 'limited'],
  ['sliding', 20_000, 60_000, 'in'],
  ['fixed', 20_000, 59_999, 'limited'],
  ['fixed', 20_000, 60_000, 'in'],
  // The clock starts five seconds after a full minute.
  ['aligned', 20_000, 54_999, 'limited'],
  ['aligned', 20_000, 55_000, 'in'],
] as const)(
  'a %s minute: five logins, five more after %i ms, one after %i ms is %s',
  async (kind, second, third, want) => {
    const mock = openMock(profileWith({ 'limits.window': kind }));
    await logIn(mock, 5);
    mock.clock.time = start + second;
    await logIn(mock, 5);
    mock.clock.time = start + third;
    expect(await logIn(mock, 1)).toEqual([want]);
  },
);

test('after too many logins a lock refuses all, also when the window would let them through', async () => {
  const mock = openMock(profileWith({ 'limits.lock': 120, 'limits.retry-after': 'sent' }));
  await logIn(mock, 10);
  mock.clock.time += 50_000;
  const { headers } = await mock.perform('login', { ...mock.mei });
  expect(headers['retry-after']).toBe('120');
  mock.clock.time += 119_999;
  expect(await logIn(mock, 1)).toEqual(['limited']);
  mock.clock.time += 1;
  expect(await logIn(mock, 11)).toEqual([...tenTimes('in'), 'limited']);
});

test('a limit that was not exceeded locks nothing', async () => {
  const mock = openMock(profileWith({ 'limits.lock': 120 }));
  await logIn(mock, 10);
  mock.clock.time += 60_000;
  expect(await logIn(mock, 10)).toEqual(tenTimes('in'));
});

test('a cleared limit is not locked either', async () => {
  const mock = openMock(profileWith({ 'limits.lock': 120 }));
  await logIn(mock, 11);
  mock.control.clearLimits(1);
  expect(await logIn(mock, 1)).toEqual(['in']);
});

test('sends Retry-After if the profile says so', async () => {
  const retryAfter = async (value: string) => {
    const mock = openMock(profileWith({ 'limits.retry-after': value }));
    await logIn(mock, 10);
    mock.clock.time += 20_500;
    const { headers, envelope } = await mock.perform('login', { ...mock.mei });
    return [headers['retry-after'], envelope.message];
  };
  const message =
    'more than 10 logins a minute for this tenant; the next is let through at 2026-01-02T03:05:05.000Z';
  expect(await retryAfter('sent')).toEqual(['40', message]);
  expect(await retryAfter('not-sent')).toEqual([undefined, message]);
});

const limited = [
  ['publishSite', { siteID: 101 }, 'note'],
  ['failPublish', { siteID: 101 }, 'note'],
  ['askAi', { siteID: 101 }, 'prompt'],
] as const;

describe.each(limited)('%s', (id, values, field) => {
  const call = async ({ perform, harbourKey }: TestMock, number: number) =>
    (await perform(id, { ...values, [field]: `number ${number}` }, harbourKey)).envelope.code;

  test.each(['sliding', 'fixed', 'aligned'])(
    'in a %s minute the first ten calls are accepted and the eleventh is not, at once and spread out',
    async (kind) => {
      const atOnce = openMock(profileWith({ 'limits.window': kind }));
      const codes = await Promise.all(Array.from({ length: 11 }, (_, number) => call(atOnce, number)));
      const spreadOut = openMock(profileWith({ 'limits.window': kind }));
      const spread = [];
      for (let number = 0; number < 11; number++) {
        spread.push(await call(spreadOut, number));
        spreadOut.clock.time += 5000;
      }
      const want = [...Array.from({ length: 10 }, () => 0), 42900];
      expect([codes.sort((one, other) => one - other), spread]).toEqual([want, want]);
    },
  );

  test('a call that is refused for another reason does not count', async () => {
    const mock = openMock();
    for (let count = 0; count < 12; count++)
      await mock.perform(id, { ...values, siteID: 999, [field]: 'x' }, mock.harbourKey);
    expect(await call(mock, 1)).toBe(0);
  });

  test('another tenant has a separate limit', async () => {
    const mock = openMock();
    for (let number = 0; number < 10; number++) await call(mock, number);
    const { envelope } = await mock.perform(id, { siteID: 201, [field]: 'x' }, mock.blumenKey);
    expect([await call(mock, 11), envelope.code]).toEqual([42900, 0]);
  });
});

test.each<[WindowKind, number[], number[], number?]>([
  ['sliding', [5_000, 30_000], [65_000, 90_000]],
  ['sliding', [5_000, 65_000], [125_000]],
  ['fixed', [5_000, 30_000], [65_000, 65_000]],
  ['fixed', [5_000, 65_000], [125_000]],
  ['fixed', [5_000, 30_000], [80_000, 80_000], 15_000],
  ['aligned', [5_000, 30_000], [60_000, 60_000]],
  ['aligned', [5_000, 60_000], [120_000]],
  ['token-bucket', [5_000, 5_000, 5_000], [11_000, 17_000, 23_000]],
  ['token-bucket', [5_000, 5_000, 12_000], [17_000, 23_000]],
  ['token-bucket', [5_000, 5_000], [8_000, 11_000], -30_000],
  ['paced', [5_000], [11_000]],
])('in a %s window calls at %j count until %j', (kind, times, want, extraMs = 0) => {
  let starts: number[] = [];
  for (const time of times) {
    const live = liveCalls(starts, time);
    starts = [...live, countsFrom(live, time, { kind, most: 10, extraMs })];
  }
  const ends = starts.map((start) => start + 60_000);
  expect([ends, freesAt(starts)]).toEqual([want, want[0]]);
});

test.each<[WindowKind, number, number]>([
  ['sliding', 10, 1],
  ['fixed', 10, 1],
  ['token-bucket', 10, 10],
  ['paced', 1, 10],
])(
  'in a %s window %i of eleven calls at once are let through, and then %i of one each second for a minute',
  async (kind, first, later) => {
    const mock = openMock(profileWith({ 'limits.window': kind }));
    const atOnce = await logIn(mock, 11);
    const spread: string[] = [];
    for (let second = 1; second <= 60; second++) {
      mock.clock.time = start + second * 1000;
      spread.push(...(await logIn(mock, 1)));
    }
    expect([atOnce, spread].map((outcomes) => outcomes.filter((one) => one === 'in').length)).toEqual([
      first,
      later,
    ]);
  },
);
