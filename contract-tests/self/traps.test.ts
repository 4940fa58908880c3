// @module-tag nightly
// What has caught suites of this kind before: each of these is a deployment, or a user, that keeps every promise.
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Mock } from '../../mock/server/create-mock.ts';
import { loadProfile, makeProfile, noProfile, statedValues } from '../../openapi/profile.ts';
import { checks } from '../checks/index.ts';
import { requirementsThat, runAgainstMock, verdictsOf } from './run-against-mock.ts';
import { startProxy } from './tampering-proxy.ts';

/** Generated cases are not what a trap is about; a few keep it quick. */
const full = { tier: 'full', cases: 4 } as const;

// Concurrent as far as they do not count by the minute, since some wait.
test.concurrent('logins that somebody else has used up are no verdict, but waited for where that is allowed', async () => {
  const usedUp = { sabotage: (mock: Mock) => useUpLogins(mock, 10), control: false };
  const report = await runAgainstMock(usedUp);
  expect(report.aborted).toMatchObject({ kind: 'rate-limited' });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
});

test.concurrent('logins that somebody uses up meanwhile leave the checks of a login not verified', async () => {
  const report = await runAgainstMock({
    control: false,
    sabotage: (mock) => useUpLogins(mock, 9),
    options: { only: ['LOGIN-1', 'LOGIN-3', 'LOGIN-4', 'LOGIN-5'] },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('partly', report)).toContain('LOGIN-3');
  const reasons = report.requirements.flatMap(({ checks }) => checks.map(({ reason }) => reason ?? ''));
  expect(reasons.join()).toContain('someone else used them up');
});

/** What depends on how a minute is counted; whole runs against each kind are in the population. */
const counted = checks.map(({ requirement }) => requirement).filter((id) => /^(LIMIT|IDEM|LOGIN)-/.test(id));

test.for(['fixed', 'sliding', 'aligned'])('%s windows of the limits are all legal', async (window) => {
  for (const others of ['counted', 'not-counted']) {
    const spoken = deployment({
      'limits.window': window,
      'limits.failed-logins': others,
      'limits.repeats': others,
    });
    const report = await runAgainstMock({ spoken, options: { ...full, only: counted } });
    expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
    expect(requirementsThat('passed', report)).toEqual(
      expect.arrayContaining(['LIMIT-1', 'LIMIT-2', 'LIMIT-3', 'LIMIT-4', 'LIMIT-5', 'LIMIT-6', 'IDEM-2']),
    );
  }
});

test.concurrent('a repeat that carries the first trace_id has no new trace_id', async () => {
  const spoken = deployment({ 'idempotency.trace': 'same', 'idempotency.subscriptions': 'repeated' });
  const report = await runAgainstMock({ spoken, options: full });
  expect(requirementsThat('passed', report)).toEqual(
    expect.arrayContaining(['ENV-4', 'IDEM-1', 'IDEM-2', 'IDEM-3']),
  );
});

test.concurrent('a window of ten seconds is as good as one of thirty', async () => {
  const report = await runAgainstMock({ spoken: deployment({ 'idempotency.window': 10 }), options: full });
  expect(requirementsThat('passed', report)).toEqual(expect.arrayContaining(['IDEM-1', 'IDEM-4', 'IDEM-5']));
});

test.concurrent('errors are judged by their code alone, whatever status and words they have', async () => {
  const spoken = deployment({
    'errors.http-status': { 'invalid-request': 418, unauthenticated: 500, 'unknown-site': 200 },
  });
  const report = await runAgainstMock({ spoken, told: loadProfile('default'), options: full });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('passed', report)).toEqual(expect.arrayContaining(['HOOK-9', 'AUTH-1', 'HOOK-7']));
});

test.concurrent('pushes that take seconds are waited for', async () => {
  const report = await runAgainstMock({ control: false, sabotage: slowPushes(1_500) });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('passed', report)).toEqual(
    expect.arrayContaining(['HOOK-10', 'EVENT-11', 'EVENT-13']),
  );
});

test.concurrent('only the paths that the profile states are called, and a few that are no endpoint', async () => {
  const paths = new Set<string>();
  const report = await runAgainstMock({
    told: noProfile,
    options: full,
    tamper: () => (message, forward) => {
      paths.add(`${message.method} ${message.path.replace(/\/(sites|webhooks)\/[^/]+/g, '/$1/{}')}`);
      return forward(message);
    },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect([...paths].toSorted()).toEqual([
    'GET /api/v1/sitepub-no-such-endpoint',
    'PATCH /api/v1/auth/tenant/login',
    'POST /api/v1/auth/refresh',
    'POST /api/v1/auth/tenant/login',
    'POST /api/v1/tenant/sitepub-no-such-endpoint',
    'POST /api/v1/tenant/sites/{}/webhooks',
    'POST /api/v1/tenant/sites/{}/webhooks/{}/test',
    'PUT /api/v1/auth/refresh',
  ]);
});

test.concurrent('a test push of another kind is only observed', async () => {
  const spoken = deployment({ 'hook-test.body': 'other', 'hook-test.event': 'webhook.ping' });
  const report = await runAgainstMock({ spoken, told: loadProfile('default'), options: full });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('passed', report)).toEqual(expect.arrayContaining(['EVENT-1', 'EVENT-2', 'SIG-2']));
});

test.concurrent('a redirect that is followed is a failed delivery none the less', async () => {
  const spoken = deployment({ 'webhook.redirects': 'followed' });
  const report = await runAgainstMock({ spoken, options: full });
  expect(requirementsThat('passed', report)).toContain('RETRY-1');
});

test.concurrent('a receiver that is not reached is told once, and fails nobody', async () => {
  const report = await runAgainstMock({
    options: { ...full, receiver: { url: 'http://127.0.0.1:65534/hooks' } },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('not-verified', report)).toEqual(
    expect.arrayContaining(['HOOK-10', 'EVENT-1', 'SIG-4', 'RETRY-1', 'LOG-1', 'CHAN-3']),
  );
  expect(report.notes?.filter((note) => note.includes('push'))).toEqual([
    "--receiver-url http://127.0.0.1:65534/hooks does not lead to the suite's receiver (connect ECONNREFUSED 127.0.0.1:65534); no push can be seen",
  ]);
});

test.concurrent('a deployment that can not reach the receiver is failed for nothing', async () => {
  const report = await runAgainstMock({
    options: full,
    sabotage: ({ service }) => {
      service.dispatcher.test = async () => false;
      service.dispatcher.emit = () => [];
    },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(report.notes?.join()).toContain("no push has reached the suite's receiver");
});

test.concurrent('a publish that is given up for the one right after it is not missed', async () => {
  const report = await runAgainstMock({
    options: full,
    sabotage: ({ service: { dispatcher, world } }) => {
      const { emit } = dispatcher;
      dispatcher.emit = (push) => {
        const latest = world.sites.get(push.site.id)?.lastVersion ?? 0;
        const isGivenUp = push.event === 'publish.complete' && Number(push.data.version) < latest;
        return isGivenUp ? [] : emit(push);
      };
    },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('passed', report)).toEqual(expect.arrayContaining(['EVENT-5', 'EVENT-11']));
});

test.concurrent('events of visitors and other users meanwhile are nobody’s fault', async () => {
  const report = await runAgainstMock({ options: full, sabotage: busySite });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('passed', report)).toEqual(
    expect.arrayContaining(['EVENT-4', 'EVENT-13', 'RETRY-1', 'RETRY-3', 'RETRY-4', 'RETRY-5', 'SIG-6']),
  );
});

test.concurrent('a public address in front of the receiver serves as well', async () => {
  const listen = await freeAddress();
  const tunnel = await startProxy(
    (path) => `http://${listen}${path.replace('/tunnel/7', '')}`,
    (message, forward) => forward(message),
  );
  try {
    const receiver = { listen, url: `${tunnel.origin}/tunnel/7` };
    const report = await runAgainstMock({ options: { ...full, receiver } });
    expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
    expect(requirementsThat('passed', report)).toEqual(
      expect.arrayContaining(['HOOK-10', 'RETRY-1', 'SIG-4']),
    );
    // A tunnel answers in the receiver's stead.
    expect(requirementsThat('not-verified', report)).toEqual(['RECV-1', 'RECV-2']);
    expect(requirementsThat('partly', report)).toEqual(['RETRY-2']);
  } finally {
    await tunnel.close();
  }
});

/** Whenever something is pushed about a site, somebody comments there and somebody submits a form. */
function busySite({ service: { dispatcher } }: Mock): void {
  const { emit } = dispatcher;
  let count = 0;
  dispatcher.emit = (push) => {
    const deliveries = emit(push);
    count++;
    emit({ ...push, event: 'comment.created', data: { comment_id: -count, text: 'somebody else' } });
    emit({ ...push, event: 'form.submit', data: { submission_id: -count, form: 'contact' } });
    return deliveries;
  };
}

function deployment(values: Record<string, unknown>) {
  const stated = { ...statedValues(loadProfile('default')), ...values };
  return makeProfile(stated, { name: 'unlike', source: 'test' });
}

/** As if somebody else had logged in to the tenant just now. */
function useUpLogins({ service }: Mock, count: number): void {
  const [tenantId] = service.world.tenants.keys();
  service.world.limits.set(`logins:${tenantId}`, Array(count).fill(service.clock.now() + 60_000));
}

function slowPushes(ms: number) {
  return ({ service: { dispatcher } }: Mock) => {
    const { emit, test: sendTest } = dispatcher;
    dispatcher.emit = (push) => emit({ ...push, at: push.at + ms });
    dispatcher.test = async (push, subscription) => {
      await sleep(ms);
      return sendTest(push, subscription);
    };
  };
}

function freeAddress(): Promise<string> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(`127.0.0.1:${port}`));
    });
  });
}
