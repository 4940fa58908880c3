// @module-tag ci
// Deployments with rules of their own, each of which keeps every promise: what they refuse, whom they greet, whom they log out.
import { expect, test } from 'vitest';
import { requirementsThat, runAgainstMock, verdictsOf } from './run-against-mock.ts';
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
import type { Tamper } from './tampering-proxy.ts';

/** Generated cases are not what a rule is about; a few keep it quick. */
const full = { tier: 'full', cases: 4 } as const;

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

function isChat(channel: unknown): boolean {
  return channel === 'wecom' || channel === 'dingtalk' || channel === 'feishu';
}

async function greet(url: string): Promise<void> {
  const ask = (method: string, body?: string) => fetch(url, { method, ...(body !== undefined && { body }) });
  await Promise.all([ask('GET'), ask('POST', '{"hello":"subscriber"}')]).catch(() => {});
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
