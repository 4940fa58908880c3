// @module-tag nightly
// Odd deployments: a discovery still writes a valid profile, with reasons for missing values.
import { expect, test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { discoverMock } from './discover-mock.ts';
import { expectAgreement } from './population/discoveries.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';
import {
  answering,
  any,
  isCreate,
  isCreation,
  isCustom,
  isLogin,
  isRefresh,
  isTest,
  jsonOf,
  losing,
  refuse,
  withJson,
} from './tampering.ts';
import type { Message, Tamper } from './tampering-proxy.ts';

const alone = { options: { arrivalMs: 400 } };

const oddValues: readonly unknown[] = [
  ...[
    null,
    true,
    '',
    ' ',
    0,
    -1,
    0.5,
    1e300,
    2 ** 53,
    [],
    {},
    [[]],
    ['x'],
    '__proto__',
    '\u0000\u2028\ufeff\ud800',
  ],
  ...['{id}', '{url} {', '*', '&a', '- x', '# x', 'x: y', '2026-01-01T00:00:00+0100', 'x'.repeat(3000)],
  { __proto__: null, '': { '~/': ['0'] }, constructor: 1 },
];

const calls = { login: isLogin, refresh: isRefresh, creation: isCreate, test: isTest, any } as const;

/** A moved clock shortens waits. */
const quick = { ...alone, controls: true, options: { arrivalMs: 50 } };

test.concurrent.for(Object.keys(calls) as (keyof typeof calls)[])(
  'reads odd values in the answers to: %s',
  { timeout: 300_000 },
  async (name) => {
    for (const at of oddValues.keys()) {
      const tamper = answering(
        calls[name],
        at % 2 === 0 ? (body) => spoilData(body, at) : (body) => ({ ...body, data: oddValues[at] }),
      );
      await expectFile(oddValues[at], tamper);
    }
  },
);

async function expectFile(odd: unknown, tamper: Tamper): Promise<void> {
  const { stopped, profile } = await discoverMock({ ...quick, tamper });
  const problem = stopped?.kind === 'failed' ? stopped.reason : 'none';
  expect({ odd, problem }).toEqual({ odd, problem: 'none' });
  expect(profile).toContain('# Profile of ');
}

/** Replaces each value in data by another odd one. */
function spoilData(body: object, from: number): object {
  const { data } = body as { data?: unknown };
  const names = typeof data === 'object' && data !== null ? Object.keys(data) : ['token', 'id'];
  return {
    ...body,
    data: Object.fromEntries(
      names.map((name, index) => [name, oddValues[(from + index) % oddValues.length]]),
    ),
  };
}

const oddRefusals: readonly object[] = [
  ...[{ code: -1 }, { code: 2 ** 60 }, { code: 0.5 }, { code: '40002' }, { code: null }, { code: [] }],
  ...[
    { message: null },
    { message: ['x'] },
    { message: '\u0000' },
    { data: 'x' },
    { data: [null] },
    { errors: [[]] },
  ],
];

test('reads odd refusals', { timeout: 100_000 }, async () => {
  for (const odd of oddRefusals) {
    const refused = answering(
      ({ code }) => code !== 0,
      (body) => ({ ...body, ...odd }),
    );
    await expectFile(odd, refused);
  }
});

const pushed = (change: (body: Record<string, unknown>) => unknown) => (push: Message) =>
  isCustom(push) ? withJson(push, change(jsonOf(push.body))) : push;

test.concurrent.for<[what: string, change: (body: Record<string, unknown>) => unknown, line: RegExp]>([
  [
    'an offset in the basic format',
    stamped('2026-05-01T12:00:00+0100'),
    /^webhook.timestamp-offset: \+01:00 /m,
  ],
  ['an offset of only hours', stamped('2026-05-01T12:00:00-03'), /^webhook.timestamp-offset: -03:00 /m],
  [
    'an offset of 15 hours',
    stamped('2026-05-01T12:00:00+15:00'),
    /^# webhook.timestamp-offset: .*"\+15:00" is not a valid value/m,
  ],
  ['no date', stamped('yesterday'), /^# webhook.timestamp-offset: .*no date-time/m],
  ['another event', (body) => ({ ...body, event: 'Test!' }), /^# hook-test.event: .*Test!/m],
  ['no object', () => [1, 'x'], /^hook-test.body: other /m],
])('reads odd test pushes: %s', async ([, change, line]) => {
  const { stopped, profile } = await discoverMock({ ...alone, tamperPush: pushed(change) });
  expect(stopped).toBeUndefined();
  expect(profile).toMatch(line);
});

function stamped(timestamp: string) {
  return (body: Record<string, unknown>) => ({ ...body, timestamp });
}

test.concurrent.for<[what: string, values: Record<string, unknown>]>([
  ['greets each new target', { 'subscription.greeting': 'on-creation' }],
  ['pushes late', { 'webhook.latency': 2 }],
  ['takes only long secrets', { 'subscription.secret-rule': 'min-32' }],
  ['takes only ASCII secrets', { 'subscription.secret-rule': 'ascii' }],
  [
    'names the chosen event that the document lists first',
    { 'hook-test.event': 'subscribed-in-document-order' },
  ],
])('finds the profile of a deployment that %s', async ([, values]) => {
  const spoken = profileWith(values);
  const { differences, missed } = await discoverMock({ ...alone, spoken });
  expect({ differences, lacking: Object.keys(values).filter((id) => missed.includes(id)) }).toEqual({
    differences: [],
    lacking: [],
  });
});

test.concurrent('finds a profile that the suite confirms if a login ends a session', () =>
  expectAgreement(profileWith({ 'session.concurrent': 'ended-by-login' })));

test.concurrent.for<[rule: string]>([['https-only'], ['public-only']])(
  'works without a receiver if URLs are %s, and says so',
  async ([rule]) => {
    const spoken = profileWith({ 'subscription.url-rule': rule });
    const { differences, found, profile, stopped } = await discoverMock({ ...alone, spoken });
    expect({ differences, stopped }).toEqual({ differences: [], stopped: undefined });
    expect(found).toEqual(
      expect.arrayContaining(['subscription.request.url', 'subscription.request.secret']),
    );
    expect(profile).toMatch(/^# channel.wecom: .*--receiver-url/m);
  },
);

test('ends at a quota of three subscriptions without mistaking refusals', async () => {
  const spoken = profileWith({ 'subscription.quota': 3 });
  const { differences, stopped, profile } = await discoverMock({ ...alone, spoken });
  expect({ differences, stopped }).toEqual({ differences: [], stopped: undefined });
  expect(profile).toMatch(/^# [\w.-]+: .*refused a \w+ subscription \(/m);
});

test.concurrent.for([1, 2, 3])('finds nearly as much if 6 % of the answers are lost (seed %i)', (seed) =>
  expectMost(losing(0.06, seed)),
);

test('waits until new tokens and subscriptions are known', { timeout: 120_000 }, () =>
  expectMost(forgetful(700)),
);

async function expectMost(tamper: Tamper): Promise<void> {
  const { differences, found, stopped } = await discoverMock({ ...alone, tamper });
  expect({ differences, stopped }).toEqual({ differences: [], stopped: undefined });
  expect(found.length).toBeGreaterThanOrEqual(39);
}

/** Refuses new tokens and subscriptions for a moment. */
function forgetful(forMs: number): Tamper {
  const known = new Map<string, number>();
  const isNew = (text: string) => Date.now() - (known.get(text) ?? 0) < forMs;
  return async (message, forward) => {
    const token = message.headers.authorization?.replace('Bearer ', '') ?? '';
    if (isNew(token)) return refuse(401, 40100);
    const [, id = ''] = /webhooks\/([^/]+)\/test$/.exec(message.path) ?? [];
    if (isNew(`id ${id}`)) return refuse(404, 40401);
    const reply = await forward(message);
    const { token: issued, id: created } = Object(jsonOf(reply.body).data);
    if (issued !== undefined) known.set(issued, Date.now());
    if (isCreation(message) && created !== undefined) known.set(`id ${created}`, Date.now());
    return reply;
  };
}

test('learns the code of an error only from a call with that mistake', async () => {
  // Answers a malformed path like an unknown site, and ignores a wrong media type and a large body.
  const tamper: Tamper = async (message, forward) => {
    const { path, headers } = message;
    if (path.includes('%zz')) return refuse(404, 40400);
    const isLarge = message.body.length > 1_000_000;
    return forward({
      ...message,
      headers: { ...headers, 'content-type': 'application/json' },
      body: isLarge ? Buffer.from('{}') : message.body,
    });
  };
  const { profile } = await discoverMock({ ...alone, tamper });
  const codes = /^errors.codes:.*(\n {2}.*)*/m.exec(profile)?.[0] ?? '';
  expect(codes).toContain('unknown-site: 40400');
  expect(codes).not.toMatch(/malformed-request|unsupported-media-type|body-too-large/);
});

test('reports no drift if a missing field is refused like a wrong password', async () => {
  const tamper: Tamper = async (message, forward) => {
    const reply = await forward(message);
    const isWrong = message.path.endsWith('/login') && jsonOf(reply.body).code === 40002;
    return isWrong ? refuse(401, 40102) : reply;
  };
  const report = await runAgainstMock({ tamper: () => tamper, options: { only: ['LOGIN-5'] } });
  expect(requirementsThat('passed', report)).toEqual(['LOGIN-5']);
  expect(report.gaps.filter(({ outcome }) => outcome === 'drift')).toEqual([]);
});
