import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileNames, profileWith } from '../testing/open-mock.ts';

test.each(profileNames)(
  '%s: a wrong password and an unknown name are refused in the same way',
  async (name) => {
    const { perform, mei } = openMock(loadProfile(name));
    const answers = [
      await perform('login', { username: mei.username, password: 'wrong' }),
      await perform('login', { username: 'nobody@nowhere.example', password: mei.password }),
      await perform('login', { username: '__proto__', password: mei.password }),
      await perform('login', { username: 'nobody', password: 'nobody has this password' }),
    ];
    const [first] = answers;
    expect(first?.envelope.message).toBe('the username or the password is wrong');
    for (const { envelope, status, values } of answers) {
      expect({ status, ...envelope, trace_id: '' }).toEqual({
        status: first?.status,
        ...first?.envelope,
        trace_id: '',
      });
      expect(values).toEqual({});
    }
  },
);

test.each(profileNames)(
  '%s: a refreshed token works, and the old one works if the profile says so',
  async (name) => {
    const profile = loadProfile(name);
    const { perform, mei } = openMock(profile);
    const old = String((await perform('login', { ...mei })).values.token);
    const refreshed = await perform('refresh', { token: old }, old);
    expect([refreshed.status, refreshed.mismatches]).toEqual([profile.values['refresh.status'], []]);
    expect(refreshed.values.token).not.toBe(old);
    const { token } = refreshed.values;
    expect((await perform('refresh', { token }, String(token))).envelope.code).toBe(0);
    const isKept = profile.values['refresh.old-token'] === 'kept';
    expect((await perform('refresh', { token: old }, old)).envelope.code === 0).toBe(isKept);
  },
);

test('the token in the header is renewed, even if the body holds another', async () => {
  const { perform, mei } = openMock(loadProfile('always-200-camel-case'));
  const token = String((await perform('login', { ...mei })).values.token);
  expect((await perform('refresh', { token: 'another' }, token)).envelope.code).toBe(0);
  expect((await perform('refresh', { token }, 'another')).envelope.code).toBe(2001);
});

test.each([
  [7_199_999, 0],
  [7_200_000, 0],
  [7_200_000 + 59_999, 0],
  [7_200_000 + 60_000, 40101],
])(
  'a token of two hours and a window of a minute: a refresh after %i ms is answered with %i',
  async (elapsed, code) => {
    const mock = openMock(profileWith({ 'refresh.window': 60 }));
    const { values } = await mock.perform('login', { ...mock.mei });
    mock.clock.time += elapsed;
    expect((await mock.perform('refresh', {}, String(values.token))).envelope.code).toBe(code);
  },
);

test('an API key is not renewed', async () => {
  const { perform, harbourKey } = openMock();
  expect((await perform('refresh', {}, harbourKey)).envelope).toMatchObject({
    code: 40100,
    message: 'an API key does not expire and is not renewed; expected a session token',
  });
});

test('a user is locked out after wrong passwords in a row, and nobody else is', async () => {
  const mock = openMock(profileWith({ 'login.lock-out': { after: 3, seconds: 120 } }));
  const { perform, mei, tom, clock } = mock;
  const logIn = async (user: object) => (await perform('login', { ...user })).envelope.code;
  const wrong = { ...mei, password: 'wrong' };
  expect([await logIn(wrong), await logIn(wrong), await logIn(mei)]).toEqual([40102, 40102, 0]);
  expect([await logIn(wrong), await logIn(wrong), await logIn(wrong)]).toEqual([40102, 40102, 40102]);
  expect([await logIn(mei), await logIn(wrong), await logIn(tom)]).toEqual([40103, 40103, 0]);
  clock.time += 119_999;
  expect(await logIn(mei)).toBe(40103);
  clock.time += 1;
  expect([await logIn(wrong), await logIn(mei)]).toEqual([40102, 0]);
});

test('a lock after wrong passwords ends with the limits that are cleared', async () => {
  const mock = openMock(profileWith({ 'login.lock-out': { after: 1, seconds: 120 } }));
  await mock.perform('login', { ...mock.mei, password: 'wrong' });
  mock.control.clearLimits(2);
  expect((await mock.perform('login', { ...mock.mei })).envelope.code).toBe(40103);
  mock.control.clearLimits(1);
  expect((await mock.perform('login', { ...mock.mei })).envelope.code).toBe(0);
});

test.each([
  ['kept', 0],
  ['ended-by-login', 40100],
])(
  "where earlier sessions are %s, a login's predecessor gets %i, and another user's session goes on",
  async (value, want) => {
    const { perform, mei, tom } = openMock(profileWith({ 'session.concurrent': value }));
    const logIn = async (user: object) => String((await perform('login', { ...user })).values.token);
    const [first, toms] = [await logIn(mei), await logIn(tom)];
    const second = await logIn(mei);
    const codes = [];
    for (const token of [first, toms, second])
      codes.push((await perform('listSites', {}, token)).envelope.code);
    expect(codes).toEqual([want, 0, 0]);
  },
);
