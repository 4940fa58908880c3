// What a deployment breaks at the login, or with keys, is said as a broken promise: the preflight takes it for no wrong setting.
import { expect, test } from 'vitest';
import { type MockRun, requirementsThat, runAgainstMock } from './run-against-mock.ts';
import { accepted, answering, both, dataOf, isLogin, refuse } from './tampering.ts';
import type { Message, Tamper } from './tampering-proxy.ts';

type Body = Record<string, unknown>;

const login = (change: (body: Body) => Body) => () => answering(both(isLogin, accepted), change);
const withoutCode = ({ code, ...rest }: Body) => rest;
const token = 'rt_0123456789abcdef0123';

/** The nth login, counted from 0, is answered so. */
const atLogin =
  (isAnswered: (count: number) => boolean, answer: () => ReturnType<typeof refuse>) => (): Tamper => {
    let count = 0;
    return (message, forward) =>
      message.path.endsWith('/auth/tenant/login') && isAnswered(count++) ? answer() : forward(message);
  };

const bearer = ({ headers }: Message) => headers.authorization?.replace('Bearer ', '') ?? '';

/** Refuses every session, and the token for renewals with a code of its own. */
const refusingSessions = (): Tamper => {
  const showing = answering(both(isLogin, accepted), (body) => ({
    ...body,
    data: { ...dataOf(body), refresh_token: token },
  }));
  return (message, forward) => {
    if (bearer(message) === token) return refuse(401, 40103);
    return /^st_/.test(bearer(message)) ? refuse(401, 40100) : showing(message, forward);
  };
};

test.for<[name: string, trial: MockRun, requirement: string]>([
  ['a login without a code', { tamper: login(withoutCode) }, 'ENV-1'],
  ['a login outside of the envelope', { tamper: login(dataOf) }, 'ENV-1'],
  ['answers without codes', { tamper: () => answering(() => true, withoutCode) }, 'ENV-1'],
  ['a login of code 200', { tamper: login((body) => ({ ...body, code: 200 })) }, 'ENV-3'],
  [
    'logins that are no JSON',
    {
      tamper: atLogin(
        () => true,
        () => ({ ...refuse(200, 0), body: Buffer.from('') }),
      ),
    },
    'ENV-7',
  ],
  ['sessions that are refused everywhere', { tamper: refusingSessions }, 'LOGIN-1'],
  [
    'keys that are refused everywhere, new ones too',
    {
      tamper: () => (message, forward) =>
        bearer(message).startsWith('sp_') ? refuse(401, 40100) : forward(message),
    },
    'AUTH-3',
  ],
])('%s is a broken promise', async ([, trial, requirement]) => {
  const report = await runAgainstMock({ ...trial, options: { only: [requirement] } });
  expect(report.aborted).toBeNull();
  expect(requirementsThat('failed', report)).toEqual([requirement]);
});

test('a login that fails once is tried again', async () => {
  const tamper = atLogin(
    (count) => count === 0,
    () => refuse(500, 50000),
  );
  const report = await runAgainstMock({ tamper, options: { only: ['LOGIN-2'] } });
  expect(report.aborted).toBeNull();
  expect(requirementsThat('passed', report)).toEqual(['LOGIN-2']);
});

test('a key that is made to judge a wrong one is deleted again', async () => {
  const apiKey = 'sp_0123456789abcdef0123456789abcdef';
  const calls: string[] = [];
  const tamper = () => async (message: Message, forward: Parameters<Tamper>[1]) => {
    const reply = await forward(message);
    if (/keys/.test(message.path) && message.method !== 'GET' && reply.status < 300)
      calls.push(message.method);
    return reply;
  };
  const report = await runAgainstMock({ tamper, options: { apiKey, only: ['AUTH-3'] } });
  expect(report.aborted?.reason).toMatch(/check SITEPUB_API_KEY/);
  expect(report.leftovers).toEqual([]);
  expect(calls).toEqual(['POST', 'DELETE']);
});
