import { expect, test } from 'vitest';
import * as apiErrors from './api-errors.ts';

const { ApiError } = apiErrors;

test('each kind of error has one constructor', () => {
  const made = [
    apiErrors.malformedRequest('it is odd'),
    apiErrors.malformedJson('x'),
    apiErrors.invalidRequest([{ at: '/x', expected: 'y' }]),
    apiErrors.unauthenticated('it is unknown'),
    apiErrors.tokenExpired(0),
    apiErrors.badCredentials(),
    apiErrors.foreignSite(1),
    apiErrors.unknownSite(1),
    apiErrors.unknownSubscription(1),
    apiErrors.unknownResource('content', 1),
    apiErrors.accountLocked(0),
    apiErrors.tooManyKeys(5),
    apiErrors.tooManySubscriptions(10),
    apiErrors.publishUnderWay(),
    apiErrors.callInProgress(),
    apiErrors.unknownPath('GET', '/'),
    apiErrors.methodNotAllowed('GET', '/', ['POST']),
    apiErrors.requestTimeout(),
    apiErrors.bodyTooLarge(1),
    apiErrors.unsupportedMediaType('x'),
    apiErrors.rateLimited('x', 2, 1),
    apiErrors.headerTooLarge(),
    apiErrors.internal(),
  ];
  const constructors = Object.values(apiErrors).filter((member) => member !== ApiError);
  expect(made).toHaveLength(constructors.length);
  expect(new Set(made.map(({ kind }) => kind)).size).toBe(made.length);
  for (const { message } of made) expect(message).toMatch(/\w{3}/);
});

test.each([
  [10_000, 10_000, 1],
  [10_001, 10_000, 1],
  [11_000, 10_000, 1],
  [11_001, 10_000, 2],
])('a limit that is free at %i, reached at %i, is to be retried after %i s', (until, now, seconds) => {
  expect(apiErrors.rateLimited('x', until, now).extra.retryAfter).toBe(seconds);
});
