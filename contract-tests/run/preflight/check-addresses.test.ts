import { expect, test } from 'vitest';
import type { SuiteOptions } from '../../core/suite-options.ts';
import { checkAddresses } from './check-addresses.ts';

test('an address at which nobody listens is out of reach, also where the service is found elsewhere', async () => {
  const options = { baseUrl: 'http://127.0.0.1:9/api/v1', receiver: {} } as SuiteOptions;
  const findOther = async () => 'http://127.0.0.1:4010/api/v1';
  expect(await checkAddresses(options, findOther)).toEqual({
    kind: 'unreachable',
    reason: expect.stringMatching(
      /nobody listens there.*; did you mean http:\/\/127\.0\.0\.1:4010\/api\/v1\?$/,
    ),
  });
});
