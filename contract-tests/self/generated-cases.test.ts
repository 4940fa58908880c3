// @module-tag nightly
import { expect, test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { defaultCases } from '../checks/generated-cases/case-settings.ts';
import type { Report } from '../reports/report.ts';
import { alarmsIn, type MockRun, requirementsThat, runAgainstMock } from './run-against-mock.ts';
import { accepted, callOf, isCreation, refuse, refusing } from './tampering.ts';
import type { Tamper } from './tampering-proxy.ts';

const full = { tier: 'full' } as const;
const only = ['hook-2-generated-secrets', 'hook-4-generated-channels', 'hook-6-generated-events'];

test('repeats the requests of a seed, and differs for another seed', async () => {
  const [one, again, other] = [await bodiesOf(7), await bodiesOf(7), await bodiesOf(8)];
  expect(one.length).toBeGreaterThan(3 * defaultCases);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

test('shrinks a failing case, and says how to repeat it', async () => {
  const report = await runAgainstMock({
    faults: ['quote-in-secret-refused'],
    options: { ...full, only, seed: 123, cases: 40 },
  });
  const [failed] = generatedOf(report).filter(({ outcome }) => outcome === 'failed');
  expect(failed?.id).toBe('hook-2-generated-secrets');
  expect(failed?.expected).toBe(
    'a subscription with the secret "aaaaaaaa\\"aaaaaaaa" to be accepted (code 0)',
  );
  expect(failed?.reason).toContain('run again with --seed 123 --cases 40');
  expect(failed?.curl).toContain('"secret":"aaaaaaaa\\"aaaaaaaa"');
  expect(report.notes).toEqual(['generated cases were drawn with --seed 123 --cases 40']);
});

test('reports a random seed', async () => {
  const trial = { options: { ...full, only } };
  const [one, other] = [await runAgainstMock(trial), await runAgainstMock(trial)];
  expect(one.notes?.join()).toMatch(/^generated cases were drawn with --seed \d+ --cases 24$/);
  expect(one.notes).not.toEqual(other.notes);
});

test('generates nothing with 0 cases or in other tiers', async () => {
  const tiers = [{ ...full, cases: 0 }, { tier: 'safe', cases: 24 }, { tier: 'smoke' }] as const;
  for (const options of tiers) {
    const report = await runAgainstMock({ options: { ...options, only: ['LOGIN-4', 'HOOK-4'] } });
    expect(generatedOf(report)).toEqual([]);
    expect(report.notes).toBeUndefined();
    const isCreated = options.tier !== 'smoke';
    expect(requirementsThat('passed', report)).toEqual(isCreated ? ['LOGIN-4', 'HOOK-4'] : ['LOGIN-4']);
  }
});

test('makes as many cases as requested', async () => {
  const id = 'hook-7-generated-addresses';
  const sent = async (cases: number) =>
    (await runAgainstMock({ options: { ...full, only: [id], cases } })).requests;
  expect((await sent(30)) - (await sent(10))).toBe(20);
});

test('leaves the logins of a minute to other checks on the real clock', async () => {
  const logins: number[] = [];
  const report = await runAgainstMock({
    control: false,
    options: { ...full, only: ['LOGIN-1', 'LOGIN-4', 'LOGIN-5'] },
    tamper: () => notingLogins(logins),
  });
  expect(generatedOf(report)).toEqual([]);
  expect(logins).not.toContain(429);
  expect(alarmsIn(report)).toEqual([]);
});

test('opens the login limit of a mock', async () => {
  const checks = ['login-4-generated-lacking-logins', 'login-5-generated-mistyped-logins'];
  const logins: number[] = [];
  const report = await runAgainstMock({
    options: { ...full, only: checks },
    tamper: () => notingLogins(logins),
  });
  expect(logins.length).toBeGreaterThan(30);
  expect(logins).not.toContain(429);
  expect(generatedOf(report).map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
});

test('deletes subscriptions at once, and creates few that stay', async () => {
  const most = async (trial: MockRun) => {
    let [there, highest] = [0, 0];
    await runAgainstMock({
      ...trial,
      options: { ...full, only: ['hook-5-generated-events', 'hook-5-generated-events-on-chat'] },
      tamper: () => async (message, forward) => {
        const reply = await forward(message);
        if (message.method === 'DELETE') there--;
        else if (isCreation(message) && accepted(callOf(message, reply))) there++;
        highest = Math.max(highest, there);
        return reply;
      },
    });
    return highest;
  };
  expect(await most({})).toBe(2);
  const spoken = profileWith({ 'operation.delete-subscription': 'not-offered' });
  expect(await most({ spoken })).toBe(5);
});

test('stops without a failure if no more subscriptions fit', async () => {
  let count = 0;
  const report = await runAgainstMock({
    options: { ...full, only: ['hook-5-generated-events'] },
    tamper: () => refusing((message) => isCreation(message) && ++count > 6, 400, 49_999),
  });
  const [result] = generatedOf(report);
  expect(result?.outcome).toBe('not-verified');
  expect(result?.reason).toContain('no subscription can be created any more');
});

test('fails nothing because of a short unknown limit', async () => {
  let count = 0;
  const report = await runAgainstMock({
    options: { ...full, only: ['hook-5-generated-events-on-chat', 'hook-5-generated-events'] },
    tamper: () => refusing((message) => isCreation(message) && ++count % 3 === 0, 400, 49_998),
  });
  expect(alarmsIn(report)).toEqual([]);
});

test('notes status 500 of a refusal without a failure', async () => {
  const report = await runAgainstMock({
    options: { ...full, only: ['hook-4-generated-channels'] },
    tamper: () => async (message, forward) => {
      const reply = await forward(message);
      return isCreation(message) && reply.status === 400 ? refuse(500, 50_000) : reply;
    },
  });
  expect(generatedOf(report).map(({ outcome }) => outcome)).toEqual(['passed']);
  expect(report.notes?.join('\n')).toMatch(
    /hook-4-generated-channels: 24 generated requests were answered with a status of 500 or more \(HTTP 500\): curl -sS -i -X POST/,
  );
});

test('hides tokens that resemble real ones', async () => {
  const given = new Set<string>();
  const report = await runAgainstMock({
    faults: ['refresh-of-token-of-right-end'],
    options: { ...full, only: ['REFRESH-3'] },
    tamper: () => async (message, forward) => {
      const reply = await forward(message);
      for (const token of reply.body.toString().match(/\bst_[0-9a-f]{32}\b/g) ?? []) given.add(token);
      return reply;
    },
  });
  expect(requirementsThat('failed', report)).toEqual(['REFRESH-3']);
  const text = JSON.stringify(report);
  expect(given.size).toBeGreaterThan(0);
  expect([...given].filter((token) => text.includes(token.slice(-17)))).toEqual([]);
});

test('fails no deployment for accepting or refusing unknown members', async () => {
  for (const unknown of ['ignored', 'refused']) {
    const spoken = profileWith({ 'subscription.unknown-fields': unknown });
    const report = await runAgainstMock({ spoken, options: { ...full, only: ['HOOK-1'] } });
    expect(alarmsIn(report)).toEqual([]);
    expect(report.gaps).toContainEqual(
      expect.objectContaining({ id: 'subscription.unknown-fields', outcome: 'agrees' }),
    );
  }
});

/** Bodies of creations without URLs, which differ between runs. */
async function bodiesOf(seed: number): Promise<string[]> {
  const bodies: string[] = [];
  await runAgainstMock({
    options: { ...full, only, seed },
    tamper: () => (message, forward) => {
      if (isCreation(message)) bodies.push(message.body.toString().replace(/"http:[^"]*"/, '"…"'));
      return forward(message);
    },
  });
  return bodies;
}

function generatedOf({ requirements }: Report) {
  return requirements.flatMap(({ checks }) => checks).filter(({ id }) => id.includes('-generated-'));
}

function notingLogins(statuses: number[]): Tamper {
  return async (message, forward) => {
    const reply = await forward(message);
    if (message.path.endsWith('/login')) statuses.push(reply.status);
    return reply;
  };
}
