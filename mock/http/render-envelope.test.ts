import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operationsOf, writeLayout } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { profileNames } from '../testing/open-mock.ts';
import { createSuccessWriter } from './render-envelope.ts';

const value = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom('"\\\u2028', -0, Number.NaN, null, true, [], { a: undefined, b: [1] }),
);
const item = fc.dictionary(fc.constantFrom('id', 'name', 'state', 'url', 'at'), value);

test.each(profileNames)('the text of an answer is that of its envelope: %s', (profile) => {
  for (const operation of operationsOf(resolve(loadProfile(profile)))) {
    const { layout } = operation.success;
    const write = createSuccessWriter(operation);
    const values = fc.record({
      ...Object.fromEntries(Object.keys(layout.values).map((name) => [name, value])),
      list: fc.oneof(value, fc.array(item, { maxLength: 3 })),
    });
    fc.assert(
      fc.property(values, (given) => {
        const envelope = { code: 0, message: 'success', data: {}, trace_id: '4bf92f3577b34da6' };
        writeLayout(layout, given, envelope);
        expect(write(given, '4bf92f3577b34da6')).toBe(JSON.stringify(envelope));
      }),
      { numRuns: 30, seed: 1 },
    );
  }
});
