import { describe, test } from 'vitest';
import { sendMalformedRequests } from './testing/malformed-requests.ts';

test('two thousand malformed requests: no 5xx, all answers in the envelope, no growing memory', () =>
  sendMalformedRequests(2_000));

describe('of all kinds', { tags: ['ci'] }, () => {
  test(
    'ten thousand malformed requests: no 5xx, all answers in the envelope, no growing memory',
    () => sendMalformedRequests(10_000),
    180_000,
  );
});
