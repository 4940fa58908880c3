// @module-tag ci
// Odd creations: a discovery continues, creates no more than announced, and reports all leftovers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { makeFolder } from '../../mock/testing/started-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import type { DiscoverOptions } from '../discover/options.ts';
import { discoverMock } from './discover-mock.ts';
import { changing, dataOf, isAbout, isCreation, jsonOf, lose, refusing, succeed } from './tampering.ts';
import type { Message, Tamper } from './tampering-proxy.ts';

const usual = loadProfile('default');
const keyed = profileWith({
  'idempotency.repetition': 'key-header',
  'idempotency.subscriptions': 'repeated',
});

/** Number of key headers in a request. */
const keysOf = ({ headers }: Message) =>
  ['idempotency-key', 'x-idempotency-key', 'x-request-id', 'x-request-key'].filter((name) => name in headers)
    .length;

/** `there`: resources of each kind at the end; `reported`: leftovers of a kind. */
async function discoverWith(tamper: Tamper, spoken = usual, options: Partial<DiscoverOptions> = {}) {
  const there: Record<string, number> = {};
  const outcome = await discoverMock({
    spoken,
    knows: 'paths',
    controls: true,
    tamper,
    options,
    afterwards: async (mock) => {
      const { subscriptions, apiKeys, sites } = await mock.control.world();
      const world = { subscription: subscriptions, 'API key': apiKeys, site: sites };
      for (const [what, entries] of Object.entries(world))
        there[what] = Object.values(entries).filter((one) => /sitepub[-/]/.test(JSON.stringify(one))).length;
    },
  });
  const reported = (kind: string) => outcome.leftovers.filter(({ what }) => what === kind).length;
  return { ...outcome, there, reported };
}

test('finds a repetition without its header if repeats with fewer headers are refused', async () => {
  const { values, missed, stopped } = await discoverWith(
    refusing((message) => keysOf(message) === 2, 409),
    keyed,
  );
  expect(stopped).toBeUndefined();
  expect(values['idempotency.subscriptions']).toBe('repeated');
  expect(missed).toContain('idempotency.key-header');
});

test('finds other errors behind a gateway that drops creations without a token', async () => {
  const { values, stopped } = await discoverWith(async (message, forward) => {
    const isAnonymous = message.path.endsWith('/webhooks') && !message.headers.authorization;
    return isAnonymous ? lose() : forward(message);
  });
  expect(stopped).toBeUndefined();
  expect(values['errors.codes']).toHaveProperty('unsupported-media-type');
});

const isHookDeletion = isAbout('DELETE', /\/webhooks\/\d+$/);
const isKeyDeletion = isAbout('DELETE', /\/keys\/\d+$/);

/** Answers without acting. */
const forgetting =
  (isMeant: (message: Message) => boolean, status: number): Tamper =>
  (message, forward) =>
    isMeant(message) ? succeed(status, {}) : forward(message);

const twice: Tamper = async (message, forward) => {
  if (isCreation(message)) await forward(message);
  return forward(message);
};
const refusingLate = changing(
  isAbout('POST', /\/keys$/),
  (body) => ({ ...body, code: 40_400, data: {} }),
  404,
);
const unnamed = changing(
  ({ path }) => path.endsWith('/webhooks'),
  (body) => {
    const { list, ...data } = dataOf(body) as { list?: object[] };
    const hidden = list?.map((one) => ({ ...one, url: 'https://h…' }));
    return { ...body, data: hidden ? { ...data, list: hidden } : {} };
  },
);

test.for<[what: string, kind: string, tamper: Tamper]>([
  ['a gateway sends each creation twice', 'subscription', twice],
  ['deletions succeed and delete nothing', 'subscription', forgetting(isHookDeletion, 200)],
  ['deletions are accepted and forgotten', 'API key', forgetting(isKeyDeletion, 202)],
  ['a creation is carried out and refused', 'API key', refusingLate],
  ['nothing has an identifier, and the list hides names', 'subscription', unnamed],
])('reports leftovers if %s', async ([, kind, tamper]) => {
  const { there, reported } = await discoverWith(tamper);
  expect(there[kind]).toBeGreaterThan(0);
  expect(reported(kind)).toBe(there[kind]);
});

test('reports a site whose creation was only accepted, because it may appear later', async () => {
  const { reported } = await discoverWith(forgetting(isAbout('POST', /\/sites$/), 202));
  expect(reported('site')).toBeGreaterThan(0);
});

test('sends no malformed creation if an empty one is accepted', async () => {
  const sent: string[] = [];
  await discoverWith(async (message, forward) => {
    if (!isCreation(message)) return forward(message);
    const text = message.body.toString();
    sent.push(text.slice(0, 20));
    return text === '{}' ? succeed(200, { id: 7_000 + sent.length }) : forward(message);
  });
  expect(sent).toContain('{}');
  expect(sent.filter((text) => text === '{"' || text.startsWith('{"filling"'))).toEqual([]);
});

test('does not delete an existing subscription that each creation replaces', async () => {
  const called: string[] = [];
  let url = 'https://hooks.shop.example/x';
  const existing = () => ({ id: 500, url, events: ['publish.complete'], channel: 'custom' });
  await discoverWith(async (message, forward) => {
    called.push(`${message.method} ${message.path}`);
    const { url: wanted } = jsonOf(message.body);
    if (isAbout('GET', /\/webhooks$/)(message)) return succeed(200, { list: [existing()], total: 1 });
    const isTaken = isAbout('POST', /\/101\/webhooks$/)(message) && (await forward(message)).status === 200;
    if (!isTaken || typeof wanted !== 'string') return forward(message);
    url = wanted;
    return succeed(200, existing());
  });
  expect(called.filter((one) => /^POST .*\/101\/webhooks$/.test(one)).length).toBeGreaterThan(2);
  expect(called.filter((one) => /^DELETE .*\/webhooks\/500$/.test(one))).toEqual([]);
});

test('creates nothing if the journal is not writable, and the profile says why', async () => {
  const file = join(makeFolder(), 'file');
  writeFileSync(file, '');
  const journal = join(file, 'journal');
  const { stopped, profile, there } = await discoverWith((one, forward) => forward(one), usual, { journal });
  expect(stopped).toBeUndefined();
  expect(profile).toContain('so the run creates nothing that it could not clean up');
  expect(there.subscription).toBe(0);
});
