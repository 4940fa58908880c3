import { expect, test } from 'vitest';
import { codeOf, codesOf, type ErrorKind, statusOf } from './error-codes.ts';
import type { Json } from './json.ts';
import { noProfile, parseProfile } from './profile.ts';
import { findGap } from './registers.ts';

// A kind that is missing here, or is none, does not compile.
const allKinds: Record<ErrorKind, true> = {
  'malformed-request': true,
  'malformed-json': true,
  'invalid-request': true,
  unauthenticated: true,
  'token-expired': true,
  'bad-credentials': true,
  'foreign-site': true,
  'unknown-site': true,
  'unknown-subscription': true,
  'unknown-resource': true,
  'unknown-path': true,
  'method-not-allowed': true,
  'request-timeout': true,
  'account-locked': true,
  'key-quota': true,
  'subscription-quota': true,
  'publish-under-way': true,
  'call-in-progress': true,
  'body-too-large': true,
  'unsupported-media-type': true,
  'rate-limited': true,
  'header-too-large': true,
  internal: true,
};

const statuses = findGap('errors.http-status');
const codes = findGap('errors.codes');
const [, statusMap] = (statuses?.schema.oneOf ?? []) as Json[];

test.for([
  ['possible statuses', statusMap?.properties],
  ['conventional statuses', statuses?.conventional],
  ['possible codes', codes?.schema.properties],
  ['default codes', codes?.default],
] as const)('the %s are those of the kinds of error', ([, map]) => {
  expect(Object.keys(map ?? {})).toEqual(Object.keys(allKinds));
});

test.for([
  ['unauthenticated', '', 401, 40100],
  ['foreign-site', '', 404, 40400],
  ['rate-limited', '', 429, 42900],
  ['internal', '', 500, 50000],
  ['rate-limited', 'errors.http-status: always-200', 200, 42900],
  ['rate-limited', 'errors.http-status: { rate-limited: 503 }', 503, 42900],
  ['internal', 'errors.http-status: { rate-limited: 503 }', 500, 50000],
  ['rate-limited', 'errors.codes: { rate-limited: -7 }', 429, -7],
  ['internal', 'errors.codes: { rate-limited: -7 }', 500, 50000],
] as const)('%s under "%s" has the status %i and the code %i', ([kind, text, status, code]) => {
  const profile = parseProfile(text, 'a.yaml');
  expect([statusOf(profile, kind), codeOf(profile, kind)]).toEqual([status, code]);
});

test('lists the codes of all kinds', () => {
  const listed = codesOf(noProfile);
  expect(listed.map(([kind]) => kind)).toEqual(Object.keys(allKinds));
  expect(listed.filter(([, code]) => code === 0)).toEqual([]);
});
