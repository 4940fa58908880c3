// Discoveries of a population whose profiles keep to what anybody would guess, and what is expected of each.
import { expect } from 'vitest';
import type { StartedMock } from '../../../mock/start.ts';
import { profileNames } from '../../../mock/testing/open-mock.ts';
import { loadProfile, makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import { gaps } from '../../../openapi/registers.ts';
import { runSuite } from '../../run/run-suite.ts';
import { discoverMock } from '../discover-mock.ts';
import { accessOf, optionsFor } from '../run-against-mock.ts';
import { populationProfiles } from './profiles.ts';

/** Each is found out alone, or with a few others; not yet where everything else is unusual too. */
const tooHard = [
  ...['subscription.quota', 'webhook.latency', 'idempotency.scope'],
  ...['publish.duration', 'publish.concurrent'],
];

export const guessablePopulation = populationProfiles(30, 7, { guessable: true })
  .filter(isUnequivocal)
  .map(easier);

function easier(profile: Profile): Profile {
  const kept = Object.entries(statedValues(profile)).filter(([id]) => !tooHard.includes(id));
  return makeProfile(Object.fromEntries(kept), { name: profile.name, source: profile.name });
}

/** Whether a site is full before everything is tried. */
function isSoonFull({ values }: Profile, knows: 'paths' | 'nothing'): boolean {
  const isRoomMade = knows === 'paths' && typeof values['operation.delete-subscription'] === 'object';
  return values['subscription.quota'] !== 'none' && !isRoomMade;
}

/** Where one login is let through every six seconds, the others wait for it. */
function waitsOf({ values }: Profile): { options?: { maxWaitMs: number } } {
  return values['limits.window'] === 'paced' ? { options: { maxWaitMs: 6_300 } } : {};
}

/** Logins that are repetitions of one another exceed no limit. */
function unlimitedGaps({ values }: Profile): readonly string[] {
  return values['idempotency.scope'] === 'every-post' ? ['limits.retry-after'] : [];
}

/** Whether the answer of a redirect's target counts shows a minute later. */
function isSoonSeen(difference: string): boolean {
  return difference !== 'webhook.redirects: "counted" is "followed"';
}

/** It takes as long as it is, which the clock of a mock does not shorten. */
const untried = [
  'webhook.timeout',
  'webhook.latency',
  'webhook.retry-delay',
  ...['publish.duration', 'keys.list-scope'],
  'idempotency.key-header',
];
/** What else takes an idempotent write, where the profile offers none. */
const windowGaps = [
  ...['idempotency.window', 'idempotency.trace', 'idempotency.repetition', 'idempotency.in-progress'],
  'idempotency.subscriptions',
  ...['publish.unchanged', 'publish.concurrent', 'subscription.id-scope', 'idempotency.scope'],
];
/** What takes a moved clock, or an operation to cause events. */
const withoutHelp = [
  ...['hook-test.retried', 'webhook.retry-anchor', 'webhook.retry-timestamp', 'webhook.robot-refusal'],
  ...gaps.map(({ id }) => id).filter((id) => id.startsWith('event-data.')),
  ...['limits.retry-after', 'token.lifetime', 'idempotency.subscriptions', 'publish.unchanged'],
];

/** Where no operation tells otherwise, a constant 1 can't be told from the identifier 1 of a sample. */
function isUnequivocal({ values }: Profile): boolean {
  const templates = Object.entries(values).filter(([id]) => id.startsWith('event-data.'));
  const texts = templates.map(([, template]) => JSON.stringify(template));
  return !texts.some((text) => /[:[,]1[\]},]/.test(text) && !text.includes('{id}'));
}

/** The whole profile is found out, given its paths and a clock, and the suite agrees with it. Returns the gaps that were missed. */
export async function expectWholeProfile(spoken: Profile): Promise<readonly string[]> {
  const complaints: string[] = [];
  const { stopped, differences, found, missed, count } = await discoverMock({
    spoken,
    knows: 'paths',
    controls: true,
    ...waitsOf(spoken),
    afterwards: async (mock, profile) => void complaints.push(...(await complaintsOf(mock, profile))),
  });
  const isFull = isSoonFull(spoken, 'paths');
  const expected = [...untried, ...windowGaps, ...unlimitedGaps(spoken)];
  const lacking = isFull ? [] : missed.filter((id) => !expected.includes(id));
  expect({ stopped, differences, lacking, complaints }).toEqual({
    stopped: undefined,
    differences: [],
    lacking: [],
    complaints: [],
  });
  expect(count.requests).toBeLessThan(250);
  expect(found.length).toBeGreaterThanOrEqual(isFull ? 46 : 52);
  return missed;
}

export const packagedProfiles = profileNames.map(loadProfile);

/** What does not show where identifiers are texts, publishes are alike or show no version, or no idempotent write is offered. */
const lackingOf: Readonly<Record<string, readonly string[]>> = {
  'always-200-camel-case': ['subscription.id-scope'],
  'flags-and-cursors': ['subscription.id-scope'],
  'nested-201-uuid': ['publish.concurrent', 'publish.unchanged', 'subscription.id-scope'],
  'documented-only': windowGaps.toSorted(),
};

/** The same of a packaged profile, and nothing more is missed than shows nowhere in it. */
export async function expectPackaged(spoken: Profile): Promise<void> {
  const missed = await expectWholeProfile(spoken);
  expect(missed.filter((id) => !untried.includes(id)).toSorted()).toEqual(lackingOf[spoken.name] ?? []);
}

/** What needs neither paths nor a clock is found out without them, and the suite agrees with it. */
export async function expectUnaided(spoken: Profile): Promise<void> {
  const complaints: string[] = [];
  const { differences, found, missed, count } = await discoverMock({
    spoken,
    knows: 'nothing',
    controls: false,
    ...waitsOf(spoken),
    afterwards: async (mock, profile) => void complaints.push(...(await withoutClock(mock, profile))),
  });
  const expected = [...untried, ...windowGaps, ...withoutHelp];
  const isFull = isSoonFull(spoken, 'nothing');
  const lacking = isFull ? [] : missed.filter((id) => !expected.includes(id));
  expect({ differences: differences.filter(isSoonSeen), complaints, lacking }).toEqual({
    differences: [],
    complaints: [],
    lacking: [],
  });
  expect(count.logins).toBeLessThanOrEqual(7);
  // A site of ten subscriptions that are there for good shows less.
  expect(found.length).toBeGreaterThanOrEqual(isFull ? 36 : 39);
}

/** Where the paths are known and no clock is moved, the suite agrees with what is found out, in a run that waits no longer. */
export async function expectAgreement(spoken: Profile): Promise<void> {
  const complaints: string[] = [];
  const {
    stopped,
    found,
    profile: text,
  } = await discoverMock({
    spoken,
    knows: 'paths',
    controls: false,
    hasKey: true,
    ...waitsOf(spoken),
    afterwards: async (mock, profile) =>
      void complaints.push(...(await complaintsOf(mock, profile, inRealTime))),
  });
  // The text says why a gap was not found out.
  expect({ stopped, complaints }, text).toEqual({ stopped: undefined, complaints: [] });
  expect(found.length).toBeGreaterThanOrEqual(isSoonFull(spoken, 'paths') ? 38 : 40);
}

const inRealTime = { controlUrl: undefined, arrivalMs: 700, patienceMs: 3_000 };

/** The same where no clock was moved, which shows how an expired token is refused. */
async function withoutClock(mock: StartedMock, found: Profile): Promise<string[]> {
  return (await complaintsOf(mock, found)).filter((complaint) => !complaint.includes(': token-expired '));
}

/** What the suite, whose waits a moved clock makes short, says against a deployment under a profile: failures, errors, and gaps that drift. */
async function complaintsOf(
  mock: StartedMock,
  found: Profile,
  waits: object = { controlUrl: mock.controlUrl },
): Promise<string[]> {
  const options = optionsFor(accessOf(mock.tenants), new URL(mock.baseUrl).origin, found);
  await mock.control.clearLimits();
  const { results, gaps: observed } = await runSuite({ ...options, ...waits });
  const bad = results.filter(({ result }) => ['failed', 'error'].includes(result.outcome));
  const drifted = observed.filter(({ outcome }) => outcome === 'drift');
  return [
    ...bad.map(({ result }) => `${found.name}: ${result.id}: ${result.reason}`),
    ...drifted.map(({ id, observed: seen }) => `${found.name}: ${id}: ${seen}`),
  ];
}
