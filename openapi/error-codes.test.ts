import { expect, test } from 'vitest';
import { codeOf, codesOf, statusOf } from './error-codes.ts';
import type { Json } from './json.ts';
import { noProfile, parseProfile } from './profile.ts';
import { findGap } from './registers.ts';

const statuses = findGap('errors.http-status');
const codes = findGap('errors.codes');
const [, statusMap] = (statuses?.schema.oneOf ?? []) as Json[];
const allKinds = codesOf(noProfile).map(([kind]) => kind);

test.for([
  ['possible statuses', statusMap?.properties],
  ['conventional statuses', statuses?.conventional],
  ['possible codes', codes?.schema.properties],
] as const)('the %s are those of the kinds of error', ([, map]) => {
  expect(Object.keys(map ?? {})).toEqual(allKinds);
});

test.for([
  ['unauthenticated', '', 401, 40100],
  ['rate-limited', '', 429, 42900],
  ['rate-limited', 'errors.http-status: always-200', 200, 42900],
  ['rate-limited', 'errors.http-status: { rate-limited: 503 }', 503, 42900],
  ['internal', 'errors.http-status: { rate-limited: 503 }', 500, 50000],
  ['rate-limited', 'errors.codes: { rate-limited: -7 }', 429, -7],
  ['internal', 'errors.codes: { rate-limited: -7 }', 500, 50000],
] as const)('%s under "%s" has the status %i and the code %i', ([kind, text, status, code]) => {
  const profile = parseProfile(text, 'a.yaml');
  expect([statusOf(profile, kind), codeOf(profile, kind)]).toEqual([status, code]);
});

test('there are 23 kinds of error, and none has the code of a success', () => {
  expect(new Set(allKinds).size).toBe(23);
  expect(codesOf(noProfile).filter(([, code]) => code === 0)).toEqual([]);
});
