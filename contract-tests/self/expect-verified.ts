// A deployment that keeps every promise is verified whole.
import { expect } from 'vitest';
import type { Profile } from '../../openapi/profile.ts';
import type { Report } from '../reports/report.ts';
import { requirementsThat } from './run-against-mock.ts';

/** What the profile withdraws, beside what concerns receivers; everything else is verified. */
const lackingOf: Readonly<Record<string, readonly string[]>> = {
  default: [],
  'always-200-camel-case': [
    ...[
      'KEY-1',
      'KEY-2',
      'KEY-3',
      'KEY-4',
      'EVENT-6',
      'EVENT-7',
      'EVENT-8',
      'EVENT-9',
      'EVENT-10',
      'EVENT-12',
    ],
    ...['LOG-1', 'LIMIT-7', 'LIMIT-8', 'IDEM-3', 'IDEM-4', 'IDEM-5'],
  ],
  'nested-201-uuid': [
    ...['KEY-1', 'KEY-2', 'KEY-3', 'KEY-4', 'EVENT-4', 'EVENT-5', 'EVENT-6', 'EVENT-7', 'EVENT-8', 'EVENT-9'],
    ...['EVENT-10', 'EVENT-11', 'EVENT-12', 'EVENT-13'],
    ...['LOG-1', 'LIMIT-5', 'LIMIT-6', 'LIMIT-7', 'LIMIT-8', 'IDEM-2', 'IDEM-3', 'IDEM-4', 'IDEM-5'],
  ],
  'documented-only': [
    ...['ENV-6', 'KEY-1', 'KEY-2', 'KEY-3', 'KEY-4', 'EVENT-4', 'EVENT-5', 'EVENT-6', 'EVENT-7', 'EVENT-8'],
    ...['EVENT-9', 'EVENT-10', 'EVENT-11', 'EVENT-12', 'EVENT-13', 'SIG-6', 'RETRY-1', 'RETRY-2', 'RETRY-3'],
    ...[
      'RETRY-4',
      'RETRY-5',
      'LOG-1',
      'LIMIT-5',
      'LIMIT-6',
      'LIMIT-7',
      'LIMIT-8',
      'IDEM-1',
      'IDEM-2',
      'IDEM-3',
    ],
    ...['IDEM-4', 'IDEM-5'],
  ],
  'flags-and-cursors': ['EVENT-9', 'EVENT-10', 'IDEM-3', 'IDEM-4', 'IDEM-5', 'LIMIT-7', 'LIMIT-8'],
};

/** The report of a full run: all that a packaged profile offers is verified, and nothing is left that can be deleted. */
export function expectWhole(report: Report, spoken: Profile): void {
  expect(verdictsOf(report)).toEqual({ failed: [], error: [], drift: [] });
  const notWhole = ['not-verified', 'partly'].flatMap((outcome) => requirementsThat(outcome, report));
  expect(notWhole.toSorted()).toEqual(['RECV-1', 'RECV-2', ...(lackingOf[spoken.name] ?? [])].toSorted());
  const canDelete = spoken.values['operation.delete-subscription'] !== 'not-offered';
  if (canDelete) expect(report.leftovers.filter(({ what }) => what === 'subscription')).toEqual([]);
  else expect(report.leftovers).toContainEqual(expect.objectContaining({ what: 'subscription', site: 201 }));
}

export function verdictsOf(report: Report) {
  return {
    failed: requirementsThat('failed', report),
    error: requirementsThat('error', report),
    drift: report.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id),
  };
}
