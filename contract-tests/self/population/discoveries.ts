// Discoveries of a population whose profiles keep to what anybody would guess, and what is expected of each.
import { expect } from 'vitest';
import type { StartedMock } from '../../../mock/start.ts';
import { makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import { gaps } from '../../../openapi/registers.ts';
import { runSuite } from '../../run/run-suite.ts';
import { discoverMock } from '../discover-mock.ts';
import { accessOf, optionsFor } from '../run-against-mock.ts';
import { populationProfiles } from './profiles.ts';

/**
 * What a discovery does not find out yet where much else is unusual too: it takes no late push, no long publish, no greeting and no full site into account,
 * nor does it log in again where a login of its own ended its session.
 */
const tooHard = [
  ...['webhook.latency', 'webhook.retry-delay', 'webhook.redirects', 'session.concurrent'],
  ...['subscription.quota', 'subscription.greeting', 'subscription.secret-rule', 'subscription.id-scope'],
  ...['limits.window', 'limits.lock', 'login.lock-out', 'idempotency.scope'],
  ...['publish.duration', 'publish.unchanged', 'publish.concurrent'],
];

export const guessablePopulation = populationProfiles(30, 7, { guessable: true })
  .filter(isUnequivocal)
  .map(easier);

function easier(profile: Profile): Profile {
  const kept = Object.entries(statedValues(profile)).filter(([id]) => !tooHard.includes(id));
  return makeProfile(Object.fromEntries(kept), { name: profile.name, source: profile.name });
}

/** It takes as long as it is, which the clock of a mock does not shorten. */
export const untried = [
  'webhook.timeout',
  'webhook.latency',
  'webhook.retry-delay',
  ...['publish.duration', 'keys.list-scope'],
  'idempotency.key-header',
];
/** What else takes an idempotent write, where the profile offers none. */
export const windowGaps = [
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
    afterwards: async (mock, profile) => void complaints.push(...(await complaintsOf(mock, profile))),
  });
  const lacking = missed.filter((id) => ![...untried, ...windowGaps].includes(id));
  expect({ stopped, differences, lacking, complaints }).toEqual({
    stopped: undefined,
    differences: [],
    lacking: [],
    complaints: [],
  });
  expect(count.requests).toBeLessThan(250);
  expect(found.length).toBeGreaterThanOrEqual(52);
  return missed;
}

/** What needs neither paths nor a clock is found out without them, and the suite agrees with it. */
export async function expectUnaided(spoken: Profile): Promise<void> {
  const complaints: string[] = [];
  const { differences, found, missed, count } = await discoverMock({
    spoken,
    knows: 'nothing',
    controls: false,
    afterwards: async (mock, profile) => void complaints.push(...(await withoutClock(mock, profile))),
  });
  const expected = [...untried, ...windowGaps, ...withoutHelp];
  expect({ differences, complaints, lacking: missed.filter((id) => !expected.includes(id)) }).toEqual({
    differences: [],
    complaints: [],
    lacking: [],
  });
  expect(count.logins).toBeLessThanOrEqual(6);
  expect(found.length).toBeGreaterThanOrEqual(39);
}

/** Where the paths are known and no clock is moved, the suite agrees with what is found out, in a run that waits no longer. */
export async function expectAgreement(spoken: Profile): Promise<void> {
  const complaints: string[] = [];
  const { stopped, found } = await discoverMock({
    spoken,
    knows: 'paths',
    controls: false,
    hasKey: true,
    afterwards: async (mock, profile) =>
      void complaints.push(...(await complaintsOf(mock, profile, inRealTime))),
  });
  expect({ stopped, complaints }).toEqual({ stopped: undefined, complaints: [] });
  expect(found.length).toBeGreaterThanOrEqual(40);
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
