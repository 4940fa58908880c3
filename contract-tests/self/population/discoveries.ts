// Discovers a population of deployments with guessable names.
import { expect } from 'vitest';
import type { StartedMock } from '../../../mock/start.ts';
import { profileNames } from '../../../mock/testing/open-mock.ts';
import { loadProfile, type Profile } from '../../../openapi/profile.ts';
import { gaps } from '../../../openapi/registers.ts';
import type { GapReport } from '../../deployment/gap-observations.ts';
import type { Discovery } from '../../discover/discover.ts';
import { runSuite } from '../../run/run-suite.ts';
import { type DiscoveryRun, discoverMock } from '../discover-mock.ts';
import { accessOf, optionsFor, profileWithout } from '../run-against-mock.ts';
import { populationProfiles } from './profiles.ts';

/** Discovery finds these only if the other gaps are usual. */
const tooHard = [
  ...['subscription.quota', 'webhook.latency', 'idempotency.scope'],
  ...['publish.duration', 'publish.concurrent'],
];

export const guessablePopulation = populationProfiles(30, 7, { guessable: true }).map((profile) =>
  profileWithout((gap) => tooHard.includes(gap), profile),
);

/** Whether the quota of subscriptions ends the discovery early. */
function isSoonFull({ values }: Profile, knows: 'paths' | 'nothing'): boolean {
  const isRoomMade = knows === 'paths' && typeof values['operation.delete-subscription'] === 'object';
  return values['subscription.quota'] !== 'none' && !isRoomMade;
}

/** A limit of one login per six seconds needs a wait. */
function waitsOf({ values }: Profile): { options?: { maxWaitMs: number } } {
  return values['limits.window'] === 'paced' ? { options: { maxWaitMs: 6_300 } } : {};
}

/** Gaps that need an idempotent write. */
const writeGaps = [
  ...['idempotency.trace', 'idempotency.repetition', 'idempotency.key-header'],
  ...['idempotency.subscriptions', 'publish.unchanged'],
];
/** Gaps that need a moved clock. */
const waitingGaps = ['hook-test.retried', 'webhook.retry-anchor', 'webhook.retry-timestamp'];
/** Gaps that need certain operations or answers. */
const offeredGaps = [
  ...gaps.map(({ id }) => id).filter((id) => id.startsWith('event-data.')),
  ...[
    'webhook.retry-anchor',
    'webhook.retry-timestamp',
    'token.lifetime',
    'webhook.body-style',
    'hook-test.delivered',
    'webhook.redirects',
  ],
];

/** `complaints`: what the suite reports against the discovered profile. */
async function discoverAndRun(
  trial: Pick<DiscoveryRun, 'knows' | 'controls' | 'hasKey'> & { spoken: Profile },
  waits?: typeof inRealTime,
) {
  const complaints: string[] = [];
  const discovery = await discoverMock({
    ...trial,
    ...waitsOf(trial.spoken),
    afterwards: async (mock, profile) => void complaints.push(...(await complaintsOf(mock, profile, waits))),
  });
  return { ...discovery, complaints };
}

/** With paths and a clock, discovery finds the whole profile, and the suite confirms it. */
export async function expectWholeProfile(spoken: Profile): Promise<Discovery> {
  const discovery = await discoverAndRun({ spoken, knows: 'paths', controls: true });
  const { stopped, differences, found, missed, count, complaints } = discovery;
  const isFull = isSoonFull(spoken, 'paths');
  const lacking = isFull ? [] : missed.filter((id) => ![...writeGaps, ...offeredGaps].includes(id));
  expect({ stopped, differences, lacking, complaints }).toEqual({
    stopped: undefined,
    differences: [],
    lacking: [],
    complaints: [],
  });
  expect(count.requests).toBeLessThan(150);
  expect(found.length).toBeGreaterThanOrEqual(isFull ? 36 : 40);
  return discovery;
}

export const packagedProfiles = profileNames.map(loadProfile);

/** Missing gaps by profile; by default, no repetition needs a key. */
const lackingOf: Readonly<Record<string, readonly string[]>> = {
  'nested-201-uuid': ['publish.unchanged'],
  'documented-only': writeGaps.toSorted(),
};

/** Leftovers that no operation deletes. */
const leftOf: Readonly<Record<string, readonly string[]>> = {
  default: ['comment', 'form submission', 'published version'],
  'always-200-camel-case': ['published version'],
  'nested-201-uuid': ['site'],
  'flags-and-cursors': ['content', 'published version'],
  'documented-only': ['subscription'],
};

/** Also expects the known missing gaps and leftovers, and no secrets in the profile. */
export async function expectPackaged(spoken: Profile): Promise<void> {
  const { missed, leftovers, profile } = await expectWholeProfile(spoken);
  expect(profile).not.toMatch(/demo-password|st_[0-9a-f]{8}|sp_\w{8}|s3cr3t/);
  const left = new Set(leftovers.map(({ what }) => what));
  expect([...left].toSorted()).toEqual(leftOf[spoken.name]);
  const lacking = missed.filter((id) => !offeredGaps.includes(id)).toSorted();
  expect(lacking).toEqual(lackingOf[spoken.name] ?? ['idempotency.key-header']);
}

/** Without paths and clock, discovery finds the gaps that need neither. */
export async function expectUnaided(spoken: Profile): Promise<void> {
  const { differences, found, missed, count, complaints } = await discoverAndRun({ spoken });
  const expected = [...writeGaps, ...waitingGaps, ...offeredGaps];
  const isFull = isSoonFull(spoken, 'nothing');
  const lacking = isFull ? [] : missed.filter((id) => !expected.includes(id));
  expect({ differences, complaints, lacking }).toEqual({
    differences: [],
    complaints: [],
    lacking: [],
  });
  expect(count.logins).toBeLessThanOrEqual(6);
  // A full site shows less.
  expect(found.length).toBeGreaterThanOrEqual(isFull ? 34 : 37);
}

/** With paths and in real time, the suite confirms the discovered profile without longer waits. */
export async function expectAgreement(spoken: Profile): Promise<void> {
  const trial = { spoken, knows: 'paths', hasKey: true } as const;
  const { stopped, found, profile, complaints } = await discoverAndRun(trial, inRealTime);
  // The message shows the profile, which says why a gap is missing.
  expect({ stopped, complaints }, profile).toEqual({ stopped: undefined, complaints: [] });
  expect(found.length).toBeGreaterThanOrEqual(isSoonFull(spoken, 'paths') ? 36 : 38);
}

const inRealTime = { controlUrl: undefined, arrivalMs: 700, patienceMs: 3_000 };

/** Failures, errors and drift of a run with the discovered profile. */
async function complaintsOf(
  mock: StartedMock,
  found: Profile,
  waits: object = { controlUrl: mock.controlUrl },
): Promise<string[]> {
  const options = optionsFor(accessOf(mock.tenants), new URL(mock.baseUrl).origin, found);
  await mock.control.clearLimits();
  const { results, gaps: observed } = await runSuite({ ...options, ...waits });
  const bad = results.filter(({ result }) => ['failed', 'error'].includes(result.outcome));
  // A test message may show data of an event that no operation causes.
  const isUnknown = ({ id, source }: GapReport) => source === 'default' && id.startsWith('event-data.');
  const drifted = observed.filter((gap) => gap.outcome === 'drift' && !isUnknown(gap));
  const complaints = [
    ...bad.map(({ result }) => `${found.name}: ${result.id}: ${result.reason}`),
    ...drifted.map(({ id, observed: seen }) => `${found.name}: ${id}: ${seen}`),
  ];
  // Discovery lets no token expire, so it cannot find this code.
  return complaints.filter((complaint) => !complaint.includes(': token-expired '));
}
