// @module-tag ci
// Other clients change the same site during a discovery, behind caches and a failing gateway.
import { test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { discoverMock } from './discover-mock.ts';
import { htmlPage, jsonOf, withJson } from './tampering.ts';
import type { Message, Reply, Tamper } from './tampering-proxy.ts';

const usual = loadProfile('default');
const ping = profileWith({ 'hook-test.event': 'ping' });
const base = '/api/v1/tenant';

/** Resources of other clients. */
const theirs: readonly [path: string, body: object][] = [
  [`${base}/sites`, { site_name: 'Pier shop' }],
  [`${base}/sites/101/contents`, { title: 'Spring menu', text: 'Cherry latte.' }],
  [`${base}/keys`, { name: 'Till' }],
  [
    `${base}/sites/101/webhooks`,
    { url: 'https://hooks.shop.example/x', events: ['publish.complete'], channel: 'custom' },
  ],
];

/** Other clients create one of each early, then comment and change content before each further call. */
function withOthers(): Tamper {
  let count = 0;
  return async (message, forward) => {
    const send = (method: string, path: string, body: object) =>
      forward(withJson({ ...message, method, path }, body));
    const isTheirTurn = message.path.startsWith(base) && ++count > 4;
    if (isTheirTurn && count === 5) for (const [path, body] of theirs) await send('POST', path, body);
    if (isTheirTurn) {
      await send('POST', '/api/v1/sites/101/comments', { author: 'Ana', text: `To Lisbon? ${count}` });
      await send('PUT', `${base}/sites/101/contents/1`, { title: `Spring ${count}`, text: 'Sakura latte.' });
    }
    return forward(message);
  };
}

const isList = ({ method, path }: Message) =>
  method === 'GET' && /\/(sites|keys|contents|webhooks)(\?|$)/.test(path);
const isCreation = ({ method, path }: Message) =>
  method === 'POST' && /\/(sites|keys|contents|webhooks|import)$/.test(path);

/** Lists are up to 400 ms old. */
function cached(inner: Tamper): Tamper {
  const known = new Map<string, { reply: Reply; at: number }>();
  return async (message, forward) => {
    const before = known.get(message.path);
    if (isList(message) && before && Date.now() - before.at < 400) return before.reply;
    const reply = await inner(message, forward);
    known.set(message.path, { reply, at: Date.now() });
    return reply;
  };
}

/** The gateway reports each sixth creation as failed, although it succeeded. */
function cutOff(inner: Tamper): Tamper {
  let count = 0;
  return async (message, forward) => {
    const reply = await inner(message, forward);
    return isCreation(message) && ++count % 6 === 0 ? htmlPage(502, '<h1>Bad</h1>') : reply;
  };
}

/** The changed resource other than the given site, for example "contents/7". */
function changedBy({ method, path }: Message): string | undefined {
  const [, what] = /\/((?:sites|keys|contents|webhooks)\/\d+)(?:\/publish)?$/.exec(path) ?? [];
  return method === 'GET' || what === 'sites/101' ? undefined : what;
}

test.concurrent.for<[what: string, spoken: typeof usual, wrap: (inner: Tamper) => Tamper]>([
  ['directly', usual, (inner) => inner],
  ['with tests that name no event', ping, (inner) => inner],
  ['behind a cache of lists', usual, cached],
  ['behind a gateway that loses answers', usual, cutOff],
])('neither touches nor misreads resources of others: %s', async ([, spoken, wrap], { expect }) => {
  const changed: (string | never[])[] = [];
  const own = new Set<string>();
  const acting = withOthers();
  const watching: Tamper = async (message, forward) => {
    changed.push(changedBy(message) ?? []);
    const reply = await acting(message, forward);
    const { id, site_id, content_id } = Object(jsonOf(reply.body).data) as Record<string, unknown>;
    if (isCreation(message)) own.add(`${message.path.split('/').at(-1)}/${content_id ?? site_id ?? id}`);
    return reply;
  };
  const options = { arrivalMs: 400 };
  const tamper = wrap(watching);
  const outcome = await discoverMock({ spoken, knows: 'paths', tamper, options });
  const { stopped, differences, leftovers } = outcome;
  expect({ stopped, differences }).toEqual({ stopped: undefined, differences: [] });
  expect(changed.length).toBeGreaterThan(20);
  expect(changed.flat().filter((one) => !own.has(one))).toEqual([]);
  const kinds = leftovers.map(({ what }) => what);
  expect(kinds).toEqual(expect.not.arrayContaining(['site', 'content', 'API key', 'subscription']));
});
