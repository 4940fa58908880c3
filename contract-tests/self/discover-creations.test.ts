// @module-tag ci
// Deployments that are odd where something is created: a discovery goes on, creates no more than it said, and tells of all that it leaves.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadProfile, makeProfile, statedValues } from '../../openapi/profile.ts';
import type { DiscoverOptions } from '../discover/options.ts';
import { discoverMock } from './discover-mock.ts';
import { jsonOf, refuse } from './tampering.ts';
import type { Message, Tamper } from './tampering-proxy.ts';

const usual = loadProfile('default');
const keyed = makeProfile(
  {
    ...statedValues(usual),
    'idempotency.repetition': 'key-header',
    'idempotency.subscriptions': 'repeated',
  },
  { name: 'keyed', source: 'keyed.yaml' },
);

/** How many headers of a request have a key. */
const keysOf = ({ headers }: Message) =>
  ['idempotency-key', 'x-idempotency-key', 'x-request-id', 'x-request-key'].filter((name) => name in headers)
    .length;

/** Also how many things of each kind are `there` at the end, and how many are `told` as left. */
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
      for (const [what, entries] of Object.entries({
        subscription: subscriptions,
        'API key': apiKeys,
        site: sites,
      }))
        there[what] = Object.values(entries).filter((one) => /sitepub[-/]/.test(JSON.stringify(one))).length;
    },
  });
  const told = (kind: string) => outcome.leftovers.filter(({ what }) => what === kind).length;
  return { ...outcome, there, told };
}

const isAbout = (method: string, end: RegExp) => (message: Message) =>
  message.method === method && end.test(message.path);

test('where a repetition with fewer headers is refused, it is said that there was one, and no header is named', async () => {
  const { values, missed, stopped } = await discoverWith(
    async (message, forward) => (keysOf(message) === 2 ? refuse(409, 40_900) : forward(message)),
    keyed,
  );
  expect(stopped).toBeUndefined();
  expect(values['idempotency.subscriptions']).toBe('repeated');
  expect(missed).toContain('idempotency.key-header');
});

test('a gateway that cuts each creation without a token hides no other mistake', async () => {
  const { values, stopped } = await discoverWith(async (message, forward) => {
    const isAnonymous = message.path.endsWith('/webhooks') && !message.headers.authorization;
    if (isAnonymous) throw Object.assign(new Error('cut'), { code: 'CUT' });
    return forward(message);
  });
  expect(stopped).toBeUndefined();
  expect(values['errors.codes']).toHaveProperty('unsupported-media-type');
});

/** Carried out, or not, and answered with another status or body. */
const answering =
  (
    isMeant: (message: Message) => boolean,
    answer: (body: Record<string, unknown>) => object,
    status = 200,
  ): Tamper =>
  async (message, forward) => {
    const reply = await forward(message);
    if (!isMeant(message) || reply.status >= 300) return reply;
    return { ...reply, status, body: Buffer.from(JSON.stringify(answer(jsonOf(reply.body)))) };
  };

const success = { code: 0, message: 'success', data: {}, trace_id: 't' };

/** Answered, and not carried out. */
const forgetting =
  (isMeant: (message: Message) => boolean, status: number): Tamper =>
  async (message, forward) =>
    isMeant(message)
      ? { ...refuse(status, 0), body: Buffer.from(JSON.stringify(success)) }
      : forward(message);

test.for<[what: string, kind: string, tamper: Tamper]>([
  [
    'a gateway sends each creation twice',
    'subscription',
    async (message, forward) => {
      if (isAbout('POST', /\/webhooks$/)(message)) await forward(message);
      return forward(message);
    },
  ],
  [
    'deletions succeed and delete nothing',
    'subscription',
    forgetting(isAbout('DELETE', /\/webhooks\/\d+$/), 200),
  ],
  ['deletions are accepted and forgotten', 'API key', forgetting(isAbout('DELETE', /\/keys\/\d+$/), 202)],
  [
    'a creation is carried out and refused',
    'API key',
    answering(isAbout('POST', /\/keys$/), () => ({ ...success, code: 40_400 }), 404),
  ],
])('what stays is told where %s', async ([, kind, tamper]) => {
  const { there, told } = await discoverWith(tamper);
  expect(there[kind]).toBeGreaterThan(0);
  expect(told(kind)).toBe(there[kind]);
});

test('what has no identifier, and is in a list that hides names, is told', async () => {
  const creating = answering(isAbout('POST', /\/webhooks$/), (body) => ({ ...body, data: {} }));
  const listing = answering(isAbout('GET', /\/webhooks$/), (body) => {
    const { list, ...data } = body.data as { list: object[] };
    return { ...body, data: { ...data, list: list.map((one) => ({ ...one, url: 'https://h…' })) } };
  });
  const { there, told } = await discoverWith((message, forward) =>
    creating(message, async (one) => listing(one, forward)),
  );
  expect(there.subscription).toBeGreaterThan(0);
  expect(told('subscription')).toBe(there.subscription);
});

test('a site whose creation was only accepted is told, for it may come later', async () => {
  const { told } = await discoverWith(forgetting(isAbout('POST', /\/sites$/), 202));
  expect(told('site')).toBeGreaterThan(0);
});

test('where an empty creation is accepted, no broken one is sent', async () => {
  const sent: string[] = [];
  await discoverWith(async (message, forward) => {
    if (!isAbout('POST', /\/webhooks$/)(message)) return forward(message);
    const text = message.body.toString();
    sent.push(text.slice(0, 20));
    if (text !== '{}') return forward(message);
    return {
      ...refuse(200, 0),
      body: Buffer.from(JSON.stringify({ ...success, data: { id: 7_000 + sent.length } })),
    };
  });
  expect(sent).toContain('{}');
  expect(sent.filter((text) => text === '{"' || text.startsWith('{"filling"'))).toEqual([]);
});

test('a subscription that was there, and is replaced by each creation, is not deleted', async () => {
  const called: string[] = [];
  let url = 'https://hooks.shop.example/x';
  const there = () => ({ id: 500, url, events: ['publish.complete'], channel: 'custom' });
  const reply = (data: object) => ({
    ...refuse(200, 0),
    body: Buffer.from(JSON.stringify({ ...success, data })),
  });
  await discoverWith(async (message, forward) => {
    called.push(`${message.method} ${message.path}`);
    const { url: wanted } = jsonOf(message.body);
    if (isAbout('GET', /\/webhooks$/)(message)) return reply({ list: [there()], total: 1 });
    const isTaken = isAbout('POST', /\/101\/webhooks$/)(message) && (await forward(message)).status === 200;
    if (!isTaken || typeof wanted !== 'string') return forward(message);
    url = wanted;
    return reply(there());
  });
  expect(
    called.filter((one) => one.startsWith('POST') && one.endsWith('/101/webhooks')).length,
  ).toBeGreaterThan(2);
  expect(called.filter((one) => /^DELETE .*\/webhooks\/500$/.test(one))).toEqual([]);
});

test('where the journal can not be written any more, nothing is created, and the profile says why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-creations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), '');
  const { stopped, profile, there } = await discoverWith((message, forward) => forward(message), usual, {
    journal: join(folder, 'file', 'journal'),
  });
  expect(stopped).toBeUndefined();
  expect(profile).toContain("nothing is created that can't be listed for clean-up");
  expect(there.subscription).toBe(0);
});
