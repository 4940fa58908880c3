import { expect, test } from 'vitest';
import { openMock, profileWith, start, type TestMock } from './testing.ts';

async function logIn({ perform, mei }: TestMock, times: number, password = mei.password): Promise<string[]> {
  const outcomes: string[] = [];
  for (let count = 0; count < times; count++) {
    const { envelope } = await perform('login', { username: mei.username, password });
    outcomes.push(envelope.code === 0 ? 'in' : envelope.code === 42900 ? 'limited' : 'refused');
  }
  return outcomes;
}

const tenTimes = (outcome: string) => Array.from({ length: 10 }, () => outcome);

test('lets ten logins a minute through and refuses the eleventh with the right password', async () => {
  const mock = openMock();
  expect(await logIn(mock, 11)).toEqual([...tenTimes('in'), 'limited']);
});

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

test('logins that fail are counted, also those with an unfit body', async () => {
  const mock = openMock();
  await logIn(mock, 9, 'wrong');
  await mock.perform('login', { username: mock.mei.username });
  expect(await logIn(mock, 1)).toEqual(['limited']);
});

test('logins that fail are not counted where the profile says so', async () => {
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

test('a sliding minute lets through only as many as have left it, a fixed one ten', async () => {
  const got = [];
  for (const kind of ['sliding', 'fixed']) {
    const mock = openMock(profileWith({ 'limits.window': kind }));
    await logIn(mock, 5);
    mock.clock.time = start + 20_000;
    await logIn(mock, 5);
    mock.clock.time = start + 60_000;
    got.push((await logIn(mock, 11)).filter((outcome) => outcome === 'in').length);
  }
  expect(got).toEqual([5, 10]);
});

test('says when to come back in Retry-After where the profile has it', async () => {
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
