// What has caught suites of this kind before: each of these is a deployment, or a user, that keeps every promise.
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Mock } from '../../mock/server/create-mock.ts';
import { loadProfile, makeProfile, noProfile, statedValues } from '../../openapi/profile.ts';
import { checks } from '../checks/index.ts';
import type { Report } from '../reports/report.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';
import {
  accepted,
  callOf,
  dataOf,
  isCreate,
  isLogin,
  isRefresh,
  jsonOf,
  refuse,
  withBody,
} from './tampering.ts';
import { startProxy, type Tamper } from './tampering-proxy.ts';

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

test.concurrent('a deployment that takes no subscription to a private address is verified as far as that goes', async () => {
  const report = await runAgainstMock({
    options: full,
    tamper: () => (message, forward) => {
      const { url } = jsonOf(message.body);
      if (typeof url !== 'string') return forward(message);
      if (isCreate({ message, status: 0, code: 0 }) && /^http:\/\/127\./.test(url)) return refuse(400, 40002);
      // What is taken for somebody else's address is not to be pushed to from here.
      return forward(
        withBody(message, (body) =>
          url.startsWith('https://hooks.') ? { ...body, url: 'http://127.0.0.1:65534/' } : body,
        ),
      );
    },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('passed', report)).toEqual(expect.arrayContaining(['HOOK-1', 'HOOK-5', 'AUTH-1']));
  expect(requirementsThat('not-verified', report)).toContain('HOOK-10');
  expect(report.notes?.join()).toContain("accepts no subscription to the suite's receiver");
});

test.concurrent("a deployment that takes robots of the chat products at their makers' addresses only breaks no promise", async () => {
  const makers = /qyapi\.weixin\.qq\.com|oapi\.dingtalk\.com|open\.feishu\.cn/;
  const report = await runAgainstMock({
    options: full,
    tamper: () => async (message, forward) => {
      const { channel, url } = jsonOf(message.body);
      const isRobot = isCreate({ message, status: 0, code: 0 }) && isChat(channel);
      if (!isRobot) return forward(message);
      if (!makers.test(String(url))) return refuse(400, 40002);
      // Nothing is to be sent there from here.
      const nobody = 'http://127.0.0.1:65534/';
      const reply = await forward(withBody(message, (body) => ({ ...body, url: nobody })));
      return { ...reply, body: Buffer.from(reply.body.toString().replace(nobody, String(url))) };
    },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('passed', report)).toEqual(expect.arrayContaining(['HOOK-10', 'SIG-1', 'SIG-4']));
  expect(requirementsThat('not-verified', report)).toEqual(
    expect.arrayContaining(['CHAN-1', 'CHAN-2', 'CHAN-3', 'SIG-5']),
  );
  const reasons = report.requirements.flatMap(({ checks }) => checks.map(({ reason }) => reason ?? ''));
  expect(reasons.join()).toContain('accepts feishu with the address of a robot of that product only');
});

test.concurrent('a deployment that takes no long secrets breaks no promise', async () => {
  const report = await runAgainstMock({
    options: full,
    tamper: () => (message, forward) => {
      const isLong = String(jsonOf(message.body).secret ?? '').length > 40;
      return isLong && isCreate({ message, status: 0, code: 0 }) ? refuse(400, 40002) : forward(message);
    },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('passed', report)).toEqual(expect.arrayContaining(['HOOK-2', 'SIG-4', 'EVENT-6']));
});

test.concurrent('a deployment that takes no long texts breaks no promise', async () => {
  const report = await runAgainstMock({
    options: full,
    tamper: () => (message, forward) =>
      message.body.length > 1_000 ? Promise.resolve(refuse(400, 40002)) : forward(message),
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('passed', report)).toEqual(
    expect.arrayContaining(['EVENT-9', 'EVENT-10', 'RETRY-4', 'CHAN-1']),
  );
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

test.concurrent('a deployment that takes twenty subscriptions and no more breaks no promise', async () => {
  const report = await runAgainstMock({
    options: full,
    tamper: () => {
      let created = 0;
      return async (message, forward) => {
        if (!isCreate({ message, status: 0, code: 0 })) return forward(message);
        if (created >= 20) return refuse(400, 49999);
        const reply = await forward(message);
        if (accepted(callOf(message, reply))) created++;
        return reply;
      };
    },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
});

test.concurrent('a deployment that greets each new subscription breaks no promise', async () => {
  const report = await runAgainstMock({
    options: full,
    tamper: () => async (message, forward) => {
      const reply = await forward(message);
      const { url } = jsonOf(message.body) as { url?: string };
      if (isCreate({ message, status: 0, code: 0 }) && accepted(callOf(message, reply)) && url)
        await greet(url);
      return reply;
    },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('passed', report)).toEqual(
    expect.arrayContaining(['HOOK-10', 'EVENT-2', 'RETRY-4']),
  );
});

test.concurrent('a deployment where a new login ends the last session of the user breaks no promise', async () => {
  const report = await runAgainstMock({ options: full, tamper: () => oneSessionEach() });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [] });
  expect(requirementsThat('not-verified', report)).toEqual(['RECV-1', 'RECV-2']);
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

function isChat(channel: unknown): boolean {
  return channel === 'wecom' || channel === 'dingtalk' || channel === 'feishu';
}

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

function verdictsOf(report: Report) {
  return { failed: requirementsThat('failed', report), error: requirementsThat('error', report) };
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

async function greet(url: string): Promise<void> {
  const ask = (method: string, body?: string) => fetch(url, { method, ...(body !== undefined && { body }) });
  await Promise.all([ask('GET'), ask('POST', '{"hello":"subscriber"}')]).catch(() => {});
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

/** Refuses tokens that a later login or renewal of the same user has ended. */
function oneSessionEach(): Tamper {
  const userOf = new Map<unknown, unknown>();
  const lastOf = new Map<unknown, unknown>();
  return async (message, forward) => {
    const [, token] = /^Bearer (st_.+)/.exec(message.headers.authorization ?? '') ?? [];
    const user = userOf.get(token);
    if (user !== undefined && lastOf.get(user) !== token) return refuse(401, 40100);
    const reply = await forward(message);
    const call = callOf(message, reply);
    if (accepted(call) && (isLogin(call) || isRefresh(call))) {
      const owner = isLogin(call) ? jsonOf(message.body).username : user;
      const { token: given } = dataOf(jsonOf(reply.body));
      userOf.set(given, owner);
      lastOf.set(owner, given);
    }
    return reply;
  };
}
