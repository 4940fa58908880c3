import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileWith } from '../testing/open-mock.ts';

test.each([
  ['mei@harbour-cafe.example', 'wrong'],
  ['nobody@nowhere.example', 'demo-password-mei'],
  ['__proto__', 'demo-password-mei'],
  ['nobody', 'nobody has this password'],
])('refuses the username %s with the password "%s" like any wrong pair', async (username, password) => {
  const { status, envelope } = await openMock().perform('login', { username, password });
  expect([status, envelope]).toEqual([
    401,
    { code: 40102, message: 'the username or the password is wrong', trace_id: expect.any(String) },
  ]);
});

test.each([
  ['kept', 0],
  ['ended', 40100],
])('after a refresh, the new token is valid, and the old one is %s', async (value, want) => {
  const { perform, codesOf, logIn } = openMock(profileWith({ 'refresh.old-token': value }));
  const old = await logIn();
  const token = String((await perform('refresh', {}, old)).values.token);
  expect(await codesOf(['refresh', {}, token], ['refresh', {}, old])).toEqual([0, want]);
});

test('renews the token of the header, even if the body has another', async () => {
  const { codeOf, logIn } = openMock(loadProfile('always-200-camel-case'));
  const token = await logIn();
  expect(await codeOf('refresh', { token: 'another' }, token)).toBe(0);
  expect(await codeOf('refresh', { token }, 'another')).toBe(2001);
});

test.each([
  [7_199_999, 0],
  [7_200_000 + 59_999, 0],
  [7_200_000 + 60_000, 40101],
])('with a window of a minute, a refresh after %i ms gets %i', async (elapsed, code) => {
  const { codeOf, logIn, clock } = openMock(profileWith({ 'refresh.window': 60 }));
  const token = await logIn();
  clock.time += elapsed;
  expect(await codeOf('refresh', {}, token)).toBe(code);
});

test('does not renew an API key', async () => {
  const { perform, harbourKey } = openMock();
  expect((await perform('refresh', {}, harbourKey)).envelope).toMatchObject({
    code: 40100,
    message: 'an API key does not expire; expected a session token',
  });
});

test('locks only the user with wrong passwords in a row, until the limits are cleared', async () => {
  const mock = openMock(profileWith({ 'login.lock-out': { after: 3, seconds: 120 } }));
  const { mei, tom, clock } = mock;
  const wrong = { ...mei, password: 'wrong' };
  const codesOf = (...users: (typeof mei)[]) =>
    mock.codesOf(...users.map((user) => ['login', { ...user }] as const));
  expect(await codesOf(wrong, wrong, mei)).toEqual([40102, 40102, 0]);
  expect(await codesOf(wrong, wrong, wrong, mei, wrong, tom)).toEqual([40102, 40102, 40102, 40103, 40103, 0]);
  clock.time += 119_999;
  expect(await codesOf(mei)).toEqual([40103]);
  clock.time += 1;
  expect(await codesOf(wrong, mei)).toEqual([40102, 0]);
  mock.control.clearLimits(1);
  await codesOf(wrong, wrong, wrong);
  mock.control.clearLimits(2);
  expect(await codesOf(mei)).toEqual([40103]);
  mock.control.clearLimits(1);
  expect(await codesOf(mei)).toEqual([0]);
});

test.each([
  ['kept', 0],
  ['ended-by-login', 40100],
])("if sessions are %s, an earlier session gets %i, and another user's stays valid", async (value, want) => {
  const { codesOf, logIn, mei, tom } = openMock(profileWith({ 'session.concurrent': value }));
  const tokens = [await logIn(mei), await logIn(tom), await logIn(mei)];
  const calls = tokens.map((token) => ['listSites', {}, token] as const);
  expect(await codesOf(...calls)).toEqual([want, 0, 0]);
});
