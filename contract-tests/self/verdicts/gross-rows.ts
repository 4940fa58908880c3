// Deployments that break one promise in every answer: no other requirement may fail.
import type { MockRun } from '../run-against-mock.ts';
import {
  accepted,
  answering,
  any,
  both,
  callOf,
  changingData,
  dataOf,
  isCreate,
  isLogin,
  isTest,
  refuse,
  refusing,
  strict,
} from '../tampering.ts';
import type { Message, Reply, Tamper } from '../tampering-proxy.ts';
import { row, type VerdictRow } from './verdict-row.ts';

type Body = Record<string, unknown>;

const bearer = ({ headers }: Message) => headers.authorization?.replace('Bearer ', '') ?? '';
const pathEnds = (end: string) => (message: Message) => message.path.endsWith(end);
const withoutCode = ({ code, ...rest }: Body) => rest;

/** In runs of the tier `safe`. */
const whole: readonly [behaviour: string, requirement: string, trial: MockRun][] = [
  [
    'every code is a string',
    'ENV-1',
    { tamper: () => answering(any, (body) => ({ ...body, code: String(body.code) })) },
  ],
  [
    'every success has the message "ok"',
    'ENV-2',
    { tamper: () => answering(accepted, (body) => ({ ...body, message: 'ok' })) },
  ],
  [
    'every test gets an empty 204',
    'ENV-7',
    { tamper: () => replacing(isTest, () => ({ status: 204, headers: {}, body: Buffer.of() })) },
  ],
  ['every renewal is refused', 'REFRESH-1', { tamper: () => refusing(pathEnds('/refresh'), 401) }],
  [
    'every creation of a subscription gets an error',
    'HOOK-1',
    { tamper: () => replacing(isCreate, () => refuse(500, 50000)) },
  ],
  ['every secret is refused', 'HOOK-2', { tamper: () => strict(isCreate, ({ body }) => 'secret' in body) }],
  [
    'no test sends anything',
    'HOOK-10',
    {
      sabotage: (mock) => {
        mock.dispatcher.test = async () => true;
        mock.dispatcher.queue = () => {};
      },
    },
  ],
  ['every test is refused', 'HOOK-10', { tamper: () => refusing(pathEnds('/test'), 501) }],
];

/** Replaces the answers to accepted calls. */
function replacing(when: typeof isLogin, answer: () => Reply): Tamper {
  return async (message, forward) => {
    const reply = await forward(message);
    return both(when, accepted)(callOf(message, reply)) ? answer() : reply;
  };
}

const login = (change: (body: Body) => Body) => () => answering(both(isLogin, accepted), change);

/** Breaks at the login or with keys, which the preflight must not take for a wrong setting. */
const atLogin: readonly [behaviour: string, requirement: string, tamper: () => Tamper][] = [
  ['logins have no code', 'ENV-1', login(withoutCode)],
  ['logins are answered outside the envelope', 'ENV-1', login(dataOf)],
  ['no answer has a code', 'ENV-1', () => answering(any, withoutCode)],
  ['logins have the code 200', 'ENV-3', login((body) => ({ ...body, code: 200 }))],
  [
    'login answers are not JSON',
    'ENV-7',
    () => replacing(isLogin, () => ({ ...refuse(200, 0), body: Buffer.of() })),
  ],
  ['sessions are refused everywhere, and a renewal token with another code', 'LOGIN-1', refusingSessions],
  [
    'all API keys are refused everywhere',
    'AUTH-3',
    () => refusing((message) => bearer(message).startsWith('sp_'), 401),
  ],
];

export const grossRows: readonly VerdictRow[] = [
  ...whole.map<VerdictRow>(([behaviour, requirement, trial]) =>
    row(behaviour, { fails: [requirement] }, () => trial),
  ),
  ...atLogin.map<VerdictRow>(([behaviour, requirement, tamper]) =>
    row(behaviour, { fails: [requirement] }, () => ({ tamper, options: { only: [requirement] } })),
  ),
];

function refusingSessions(): Tamper {
  const token = 'rt_0123456789abcdef0123';
  const showing = changingData(isLogin, (data) => ({ ...data, refresh_token: token }));
  return async (message, forward) => {
    if (bearer(message) === token) return refuse(401, 40103);
    return bearer(message).startsWith('st_') ? refuse(401, 40100) : showing(message, forward);
  };
}
