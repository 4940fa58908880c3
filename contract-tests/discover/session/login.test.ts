import { expect, test } from 'vitest';
import { exchangeOf } from '../../testing.ts';
import { createProbe, type Probe } from '../probe.ts';
import { findExpiry } from './login.ts';

const now = Date.parse('2026-05-01T12:00:00.400Z');
const date = 'Fri, 01 May 2026 12:00:00 GMT';

test.for<[what: string, data: object, pointer: string, lifetime: number | undefined]>([
  ['a whole number of seconds', { expires_in: 3600 }, '/data/expires_in', 3600],
  ['a lifetime that started a moment before', { expires_in: 3599 }, '/data/expires_in', 3600],
  ['two seconds less than two hours', { expire: 7198 }, '/data/expire', 7200],
  ['not a whole minute', { ttl: 100 }, '/data/ttl', 100],
  ['one second more than an hour', { ttl: 3601 }, '/data/ttl', 3601],
  ['expireSeconds', { expireSeconds: 900 }, '/data/expireSeconds', 900],
  ['expiresIn', { session: { expiresIn: 900 } }, '/data/session/expiresIn', 900],
  ['PascalCase', { ExpiresIn: 900 }, '/data/ExpiresIn', 900],
  ['milliseconds', { expires_in_ms: 900_000 }, 'absent', 900],
  ['digits as text', { expires_in: '900' }, 'absent', 900],
  ['a moment in seconds', { expires_at: 1_777_640_400 }, 'absent', 3600],
  ['a moment in milliseconds', { expireAt: 1_777_640_400_350 }, 'absent', 3600],
  ['a moment that is nearly an hour away', { exp: 1_777_640_397 }, 'absent', 3600],
  ['an ISO 8601 date-time', { expires_at: '2026-05-01T21:00:00+08:00' }, 'absent', 3600],
  ['one with a basic offset', { expires_at: '2026-05-01T21:00:00.3+0800' }, 'absent', 3600],
  ['one in UTC', { expiration: '2026-05-01 13:00:00Z' }, 'absent', 3600],
  ['a local time', { expires_at: '2026-05-01 13:00:00' }, 'absent', undefined],
  ['only the expiry of the refresh token', { refresh_expires_in: 86_400 }, 'absent', undefined],
  ['the expiry of the tenant', { tenant: { expires_at: 1_777_640_400 } }, 'absent', undefined],
  ['a moment that has passed', { expires_at: 1_700_000_000 }, 'absent', undefined],
  ['no number', { expires_in: 'soon', exp: true, ttl: {} }, 'absent', undefined],
])('reads the expiry of a token: %s', ([, data, pointer, lifetime]) => {
  const { findings } = readLogin(data);
  const found = { pointer: findings.value('login.expires-in'), lifetime: findings.value('token.lifetime') };
  expect(found).toEqual({ pointer, lifetime });
});

test('needs no Date header', () => {
  expect(readLogin({ expires_at: 1_777_640_400 }, {}).findings.value('token.lifetime')).toBe(3600);
});

function readLogin(data: object, headers: Record<string, string> = { date }): Probe {
  const probe = createProbe(
    {
      baseUrl: 'http://127.0.0.1:9/api/v1',
      given: {},
      maxWaitMs: 0,
      receiver: {},
      mayCreate: async () => false,
    },
    { clock: { now: () => now, isMoved: true } as Probe['clock'], receiver: undefined },
  );
  const answer = exchangeOf({ code: 0, message: 'success', data, trace_id: 't1' }, { headers });
  findExpiry(probe, { ...answer, operation: 'login', at: now - 300 });
  return probe;
}
