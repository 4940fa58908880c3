import { expect, test } from 'vitest';
import { redactionProperties } from './testing/properties.ts';

test.each(redactionProperties)('%s', (_name, check) => {
  expect(check({ numRuns: 500 })).toEqual({ numRuns: 500, message: undefined });
});
