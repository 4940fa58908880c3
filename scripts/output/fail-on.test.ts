import { expect, test } from 'vitest';
import { sample } from '../../contract-tests/reports/testing.ts';
import { noticeNames, noticesNamed } from './fail-on.ts';

test.for([
  [['late'], ['late (2 times)']],
  [['greeting'], []],
  [
    ['login.status', 'late'],
    ['drift of login.status', 'late (2 times)'],
  ],
  [['drift'], ['drift of login.status', 'drift of webhook.timestamp-unit', 'drift of errors.codes']],
  [['refresh.status'], []],
  [[], []],
])('of the sample, %j names %j', ([names = [], want]) => {
  expect(noticesNamed(names, sample)).toEqual(want);
});

test('every gap and every remark can be named, once', () => {
  expect(noticeNames).toEqual(
    expect.arrayContaining(['drift', 'late', 'signing-secret-shown', 'login.token']),
  );
  expect(new Set(noticeNames).size).toBe(noticeNames.length);
});
