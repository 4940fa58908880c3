import { expect } from 'vitest';
import type { Profile } from '../../openapi/profile.ts';
import type { Report } from '../reports/report.ts';
import { alarmsIn, requirementsThat } from './run-against-mock.ts';

const keys = ['KEY-1', 'KEY-2', 'KEY-3', 'KEY-4'];
const contents = ['EVENT-6', 'EVENT-7', 'EVENT-8'];
const events = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map((number) => `EVENT-${number}`);
const publishes = ['LIMIT-5', 'LIMIT-6'];
const ai = ['LIMIT-7', 'LIMIT-8'];
const repeats = ['IDEM-3', 'IDEM-4', 'IDEM-5'];

/** Requirements, besides those of receivers, that a run cannot verify with the profile. */
const lackingOf: Readonly<Record<string, readonly string[]>> = {
  default: [],
  'always-200-camel-case': [
    ...keys,
    ...contents,
    'EVENT-9',
    'EVENT-10',
    'EVENT-12',
    'LOG-1',
    ...ai,
    ...repeats,
  ],
  'nested-201-uuid': [...keys, ...events, 'LOG-1', ...publishes, ...ai, 'IDEM-2', ...repeats],
  'documented-only': [
    ...['ENV-6', ...keys, ...events, 'SIG-6', 'RETRY-1', 'RETRY-2', 'RETRY-3', 'RETRY-4', 'RETRY-5', 'LOG-1'],
    ...[...publishes, ...ai, 'IDEM-1', 'IDEM-2', ...repeats],
  ],
  'flags-and-cursors': ['EVENT-9', 'EVENT-10', ...repeats, ...ai],
};

/** For the report of a full run with a packaged profile. */
export function expectWhole(report: Report, spoken: Profile): void {
  const drifts = report.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id);
  expect({ alarms: alarmsIn(report), drifts }).toEqual({ alarms: [], drifts: [] });
  const notWhole = ['not-verified', 'partly'].flatMap((outcome) => requirementsThat(outcome, report));
  expect(notWhole.toSorted()).toEqual(['RECV-1', 'RECV-2', ...(lackingOf[spoken.name] ?? [])].toSorted());
  const canDelete = spoken.values['operation.delete-subscription'] !== 'not-offered';
  if (canDelete) expect(report.leftovers.filter(({ what }) => what === 'subscription')).toEqual([]);
  else expect(report.leftovers).toContainEqual(expect.objectContaining({ what: 'subscription', site: 201 }));
}
