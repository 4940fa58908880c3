import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileNames, profileWith } from '../testing/open-mock.ts';

test.each([
  ['mei@harbour-cafe.example', 'wrong'],
  ['nobody@nowhere.example', 'demo-password-mei'],
  ['__proto__', 'demo-password-mei'],
  ['nobody', 'nobody has this password'],
])('the name %s with the password "%s" is refused as any wrong pair', async (username, password) => {
  const { status, envelope } = await openMock().perform('login', { username, password });
  expect([status, envelope]).toEqual([
    401,
    { code: 40102, message: 'the username or the password is wrong', trace_id: expect.any(String) },
  ]);
});

test.each(profileNames)('%s: a refreshed token works, the old one by the profile', async (name) => {
  const profile = loadProfile(name);
  const { perform, codeOf, logIn } = openMock(profile);
  const old = await logIn();
  const refreshed = await perform('refresh', { token: old }, old);
  expect([refreshed.status, refreshed.mismatches]).toEqual([profile.values['refresh.status'], []]);
  const token = String(refreshed.values.token);
  expect(token).not.toBe(old);
  expect(await codeOf('refresh', { token }, token)).toBe(0);
  const isKept = profile.values['refresh.old-token'] === 'kept';
  expect((await codeOf('refresh', { token: old }, old)) === 0).toBe(isKept);
});

test('the token in the header is renewed, even if the body holds another', async () => {
  const { codeOf, logIn } = openMock(loadProfile('always-200-camel-case'));
  const token = await logIn();
  expect(await codeOf('refresh', { token: 'another' }, token)).toBe(0);
  expect(await codeOf('refresh', { token }, 'another')).toBe(2001);
});

test.each([
  [7_199_999, 0],
  [7_200_000 + 59_999, 0],
  [7_200_000 + 60_000, 40101],
])('with a window of a minute, a refresh after %i ms is answered with %i', async (elapsed, code) => {
  const { codeOf, logIn, clock } = openMock(profileWith({ 'refresh.window': 60 }));
  const token = await logIn();
  clock.time += elapsed;
  expect(await codeOf('refresh', {}, token)).toBe(code);
});

test('an API key is not renewed', async () => {
  const { perform, harbourKey } = openMock();
  expect((await perform('refresh', {}, harbourKey)).envelope).toMatchObject({
    code: 40100,
    message: 'an API key does not expire and is not renewed; expected a session token',
  });
});

test('a user is locked out after wrong passwords in a row, and nobody else is; clearing the limits ends it', async () => {
  const mock = openMock(profileWith({ 'login.lock-out': { after: 3, seconds: 120 } }));
  const { mei, tom, clock } = mock;
  const wrong = { ...mei, password: 'wrong' };
  const codesOf = async (...users: (typeof mei)[]) => {
    const codes = [];
    for (const user of users) codes.push(await mock.codeOf('login', { ...user }));
    return codes;
  };
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
])("where sessions are %s, one before a login gets %i, and another user's goes on", async (value, want) => {
  const { codeOf, logIn, mei, tom } = openMock(profileWith({ 'session.concurrent': value }));
  const tokens = [await logIn(mei), await logIn(tom), await logIn(mei)];
  const codes = [];
  for (const token of tokens) codes.push(await codeOf('listSites', {}, token));
  expect(codes).toEqual([want, 0, 0]);
});
