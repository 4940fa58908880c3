// A report with failures of ten kinds, from a run against a mock with as many faults.

import type { Report } from '../../../contract-tests/reports/report.ts';
import { runAgainstMock } from '../../../contract-tests/self/run-against-mock.ts';

const faults = [
  'no-trace-id-on-404',
  'total-one-short',
  'empty-password-taken',
  'create-without-authorization',
  'invented-key-taken-on-create',
  'unknown-channel-is-custom',
  'eleventh-login-taken',
  'site-id-as-text-on-form-submit',
  'timestamp-header-local',
  'fourth-retry',
];

/** A red report of the whole suite. */
export function makeRedReport(): Promise<Report> {
  return runAgainstMock({ faults, options: { tier: 'full', cases: 4 } });
}
