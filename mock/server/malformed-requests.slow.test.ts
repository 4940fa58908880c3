import { test } from 'vitest';
import { sendMalformedRequests } from '../testing/malformed-requests.ts';

test(
  'ten thousand malformed requests: no 5xx, all answers in the envelope, no growing memory',
  () => sendMalformedRequests(10_000),
  180_000,
);
