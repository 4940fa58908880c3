import { expect, test } from 'vitest';
import * as problems from './api-errors.ts';

const { ApiError } = problems;

test('each kind of error has one constructor', () => {
  const made = [
    problems.malformedRequest('it is odd'),
    problems.malformedJson('x'),
    problems.invalidRequest([{ at: '/x', expected: 'y' }]),
    problems.unauthenticated('it is unknown'),
    problems.tokenExpired(0),
    problems.badCredentials(),
    problems.foreignSite(1),
    problems.unknownSite(1),
    problems.unknownSubscription(1),
    problems.unknownResource('content', 1),
    problems.tooManyKeys(5),
    problems.unknownPath('GET', '/'),
    problems.methodNotAllowed('GET', '/', ['POST']),
    problems.requestTimeout(),
    problems.bodyTooLarge(1),
    problems.unsupportedMediaType('x'),
    problems.rateLimited('x', 2, 1),
    problems.headerTooLarge(),
    problems.internal(),
  ];
  const constructors = Object.values(problems).filter((member) => member !== ApiError);
  expect(made).toHaveLength(constructors.length);
  expect(new Set(made.map(({ kind }) => kind)).size).toBe(made.length);
  for (const { message } of made) expect(message).toMatch(/\w{3}/);
});

test.each([
  [10_000, 10_000, 1],
  [10_001, 10_000, 1],
  [11_000, 10_000, 1],
  [11_001, 10_000, 2],
])('a limit that frees at %i, seen at %i, is tried again after %i s', (until, now, seconds) => {
  expect(problems.rateLimited('x', until, now).extra.retryAfter).toBe(seconds);
});
