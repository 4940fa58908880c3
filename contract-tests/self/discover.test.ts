// What a discovery finds out of deployments whose profile is known equals that profile.
import { expect, test } from 'vitest';
import type { StartedMock } from '../../mock/start.ts';
import { loadProfile, makeProfile, type Profile } from '../../openapi/profile.ts';
import { gaps } from '../../openapi/registers.ts';
import { runSuite } from '../run/run-suite.ts';
import { discoverMock } from './discover-mock.ts';
import { populationProfiles } from './population/profiles.ts';
import { accessOf, optionsFor } from './run-against-mock.ts';

const defaults = loadProfile('default');
const documentedOnly = loadProfile('documented-only');
const camelCase = loadProfile('always-200-camel-case');
const nested = loadProfile('nested-201-uuid');
const packaged = [defaults, camelCase, nested, documentedOnly];
const population = populationProfiles(30, 7, { guessable: true }).filter(isUnequivocal);

/** It takes as long as it is, which the clock of a mock does not shorten. */
const untried = ['webhook.timeout'];
/** What else takes an idempotent write, where the profile offers none. */
const windowGaps = ['idempotency.window', 'idempotency.trace'];
/** What takes a moved clock, or an operation to cause events. */
const withoutHelp = [
  ...['hook-test.retried', 'webhook.retry-anchor', 'webhook.retry-timestamp', 'webhook.robot-refusal'],
  ...gaps.map(({ id }) => id).filter((id) => id.startsWith('event-data.')),
  ...['limits.retry-after', 'token.lifetime', 'idempotency.subscriptions'],
];

/** Where no operation tells otherwise, a constant 1 can't be told from the identifier 1 of a sample. */
function isUnequivocal({ values }: Profile): boolean {
  const templates = Object.entries(values).filter(([id]) => id.startsWith('event-data.'));
  const texts = templates.map(([, template]) => JSON.stringify(template));
  return !texts.some((text) => /[:[,]1[\]},]/.test(text) && !text.includes('{id}'));
}

test.for(packaged)('finds out the whole profile $name, given its paths and a clock', async (spoken) => {
  const { differences, missed, stopped } = await discoverMock({ spoken, knows: 'paths', controls: true });
  expect({ stopped, differences }).toEqual({ stopped: undefined, differences: [] });
  expect(missed).toEqual(spoken === documentedOnly ? [...untried, ...windowGaps] : untried);
});

test('finds out the profiles of a whole population, with which the suite agrees', async () => {
  expect(population.length).toBeGreaterThanOrEqual(25);
  const wrong: string[] = [];
  for (const spoken of population) {
    const { differences, missed, count } = await discoverMock({
      spoken,
      knows: 'paths',
      controls: true,
      afterwards: async (mock, found) => void wrong.push(...(await complaintsOf(mock, found))),
    });
    const lacking = missed.filter((id) => ![...untried, ...windowGaps].includes(id));
    wrong.push(...[...differences, ...lacking].map((what) => `${spoken.name}: ${what}`));
    expect(count.requests).toBeLessThan(250);
  }
  expect(wrong).toEqual([]);
}, 240_000);

test.for([...packaged, ...population.slice(0, 6)])(
  'finds out of $name alone what needs neither paths nor a clock',
  async (spoken) => {
    const { differences, missed, count } = await discoverMock({ spoken, knows: 'nothing', controls: false });
    const expected = [...untried, ...windowGaps, ...withoutHelp];
    expect({ differences, lacking: missed.filter((id) => !expected.includes(id)) }).toEqual({
      differences: [],
      lacking: [],
    });
    expect(count.logins).toBeLessThanOrEqual(6);
  },
);

test('finds out how long a deployment waits for an answer, when it is given the time', async () => {
  const spoken = makeProfile({ 'webhook.timeout': 1 }, { name: 'hasty', source: 'hasty.yaml' });
  const options = { maxWaitMs: 5_000 };
  const { differences, found } = await discoverMock({ spoken, knows: 'nothing', controls: false, options });
  expect({ differences, isFound: found.includes('webhook.timeout') }).toEqual({
    differences: [],
    isFound: true,
  });
});

test.for(packaged)('gives the suite a profile of $name that it agrees with', async (spoken) => {
  await discoverMock({
    spoken,
    knows: 'paths',
    controls: true,
    afterwards: async (mock, found) => expect(await complaintsOf(mock, found)).toEqual([]),
  });
});

/** What the suite says against a deployment under a profile: failures, errors, and gaps that drift. */
async function complaintsOf(mock: StartedMock, found: Profile): Promise<string[]> {
  const options = optionsFor(accessOf(mock.tenants), new URL(mock.baseUrl).origin, found);
  await mock.control.clearLimits();
  const { results, gaps: observed } = await runSuite({ ...options, controlUrl: mock.controlUrl });
  const bad = results.filter(({ result }) => !['passed', 'not-verified'].includes(result.outcome));
  const drifted = observed.filter(({ outcome }) => outcome === 'drift');
  return [
    ...bad.map(({ result }) => `${found.name}: ${result.id}: ${result.reason}`),
    ...drifted.map(({ id, observed: seen }) => `${found.name}: ${id}: ${seen}`),
  ];
}

test.for([
  { name: 'takes what it does not know', spoken: camelCase, mostRequests: 90 },
  { name: 'refuses what it does not know', spoken: nested, mostRequests: 250 },
])('finds the names out of a deployment that $name, and never says what is wrong', async (trial) => {
  const { spoken, mostRequests } = trial;
  const { differences, missed, count } = await discoverMock({
    spoken,
    knows: 'nothing',
    controls: false,
    tamper: async (message, forward) => {
      const reply = await forward(message);
      const body = JSON.parse(reply.body.toString()) as { code: number };
      const silent = body.code === 0 ? body : { ...body, message: 'bad request' };
      return { ...reply, body: Buffer.from(JSON.stringify(silent)) };
    },
  });
  expect(differences).toEqual([]);
  expect(missed.filter((id) => id.startsWith('subscription.'))).toEqual([]);
  expect(count.requests).toBeLessThan(mostRequests);
});

test('takes away what it created, and lists what it can’t', async () => {
  const all = await discoverMock({ spoken: defaults, knows: 'paths', controls: true });
  const none = await discoverMock({ spoken: documentedOnly, knows: 'paths', controls: true });
  const kinds = (leftovers: typeof all.leftovers) => new Set(leftovers.map(({ what }) => what));
  expect(kinds(all.leftovers)).toEqual(new Set(['form submission', 'comment']));
  expect(kinds(none.leftovers)).toEqual(new Set(['subscription']));
});

test('creates nothing where it may not', async () => {
  const { missed, leftovers, profile } = await discoverMock({
    spoken: defaults,
    knows: 'paths',
    controls: false,
    options: { mayCreate: async () => false },
    afterwards: async (mock) => {
      const { requests } = mock.control.requests();
      expect(requests.filter(({ operation }) => operation === 'createSubscription')).toEqual([]);
    },
  });
  expect(leftovers).toEqual([]);
  expect(missed).toContain('subscription.request.url');
  expect(profile).toMatch(/# subscription.request.url: url {2}# not found out: .*--create/);
});

test('keeps secrets out of the profile', async () => {
  const { profile } = await discoverMock({ spoken: camelCase, knows: 'paths', controls: true });
  expect(profile).not.toMatch(/demo-password|st_[0-9a-f]{8}|sp_\w{8}|s3cr3t/);
});

test('keeps what is given, and says where something else was seen', async () => {
  const given = { 'hook-test.status': 204, 'webhook.body-style': 'spaced' };
  const { profile } = await discoverMock({
    spoken: defaults,
    knows: 'nothing',
    controls: false,
    options: { given },
  });
  expect(profile).toContain('hook-test.status: 204  # given; what was seen is 200');
  expect(profile).toContain('webhook.body-style: spaced  # given\n');
});
