import { expect, test } from 'vitest';
import type { Check } from '../check.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { PromiseBroken, type RefusalTrial, WronglyRefused } from '../core/outcomes.ts';
import type { Clock } from '../deployment/deployment-clock.ts';
import type { CheckResult } from '../reports/report.ts';
import { exchangeOf, openContext } from '../testing.ts';
import { runCheck, type Undecided } from './run-check.ts';
import { decideAll } from './run-suite.ts';

const accepted = exchangeOf({ code: 0 });
const refused = exchangeOf({ code: 40_300 }, { status: 403 });
const plain = async () => accepted;

test('waits for all refusals together: a minute, and two seconds for each', async () => {
  const { context, waitedMs } = contextInTime();
  const codes = [40_000, 40_100, 40_300, 42_200, 50_000];
  const refusals = codes.map((code) => exchangeOf({ code }, { status: 400 }));
  const outcomes = await outcomesOf(
    context,
    refusals.map((refusal) => ({ refusal, again: async () => refusal })),
  );
  expect(outcomes).toEqual(codes.map(() => 'failed'));
  expect(waitedMs()).toBeGreaterThanOrEqual(60_000);
  expect(waitedMs()).toBeLessThanOrEqual(70_000);
});

test('looks again a minute after the first look', async () => {
  const { context, waitedMs } = contextInTime();
  const looks: number[] = [];
  const again = async () => {
    looks.push(waitedMs());
    return refused;
  };
  expect(await outcomesOf(context, [{ refusal: refused, again }])).toEqual(['failed']);
  expect(looks).toEqual([0, 2_000, 60_000]);
});

test.for([
  ['passes', accepted],
  ['is refused in another way', exchangeOf({ code: 40_900 }, { status: 409 })],
] as const)('does not fail a call that %s a minute later', async ([, later]) => {
  const { context, waitedMs } = contextInTime();
  const again = async () => (waitedMs() < 60_000 ? refused : later);
  expect(await outcomesOf(context, [{ refusal: refused, again }])).toEqual(['not-verified']);
});

test('does not fail a call if plain calls are refused a minute later as well', async () => {
  const { context, waitedMs } = contextInTime();
  const often = async () => (waitedMs() < 60_000 ? accepted : refused);
  const trial = { refusal: refused, again: async () => refused, plain: often };
  expect(await outcomesOf(context, [trial])).toEqual(['not-verified']);
});

test('does not fail a call on a resource that the run deleted meanwhile', async () => {
  const { context } = contextInTime();
  const subscription = {
    what: 'subscription',
    site: 101,
    target: 'http://a.example',
    tenant: 'main',
  } as const;
  context.resources.announce(subscription)({ ...accepted, values: { id: 7 } });
  context.requests.push({
    operation: 'testSubscription',
    values: { siteID: 101, subscriptionID: 7 },
    ...{ at: 0, order: 0, exchange: refused, answeredAt: 0 },
  });
  const trial = { refusal: refused, again: async () => refused };
  const decide = await begin(context, [trial]);
  context.resources.markDeleted('subscription', 7, 101);
  expect(await decide()).toMatchObject([
    { outcome: 'not-verified', reason: expect.stringContaining('has deleted the subscription') },
  ]);
});

test('waits until the reached rate limits are over', async () => {
  const { context, waitedMs } = contextInTime();
  const limited = exchangeOf({ code: 42_900 }, { status: 429 });
  const decide = await begin(context, [{ refusal: refused, again: async () => refused }]);
  context.exchanges.push({ ...limited, answeredAt: 50_000 });
  expect(await decide()).toMatchObject([{ outcome: 'failed' }]);
  expect(waitedMs()).toBe(110_000);
});

test('does not fail a call if the run is interrupted while it waits', async () => {
  const { context } = contextInTime();
  const decide = await begin(context, [{ refusal: refused, again: async () => refused }]);
  const interrupted = new AbortController();
  context.signal = interrupted.signal;
  context.clock.waitUntil = async () => {
    interrupted.abort();
    interrupted.signal.throwIfAborted();
  };
  expect(await decide()).toMatchObject([{ outcome: 'not-verified', reason: 'the run was interrupted' }]);
});

test('does not wait for refusals after the run has ended', async () => {
  const { context, waitedMs } = contextInTime();
  const decide = await begin(context, [{ refusal: refused, again: async () => refused }]);
  context.ended = { kind: 'unreachable', reason: 'it no longer answers' };
  expect(await decide()).toMatchObject([{ outcome: 'not-verified', reason: 'it no longer answers' }]);
  expect(waitedMs()).toBe(2_000);
});

interface Trial extends RefusalTrial {
  refusal: Exchange;
}

/** The outcomes of checks whose calls are refused. */
async function outcomesOf(context: Context, trials: readonly Trial[]): Promise<string[]> {
  const decide = await begin(context, trials);
  return (await decide()).map(({ outcome }) => outcome);
}

/** Runs the checks; call the returned function at the end of the run. */
async function begin(context: Context, trials: readonly Trial[]): Promise<() => Promise<CheckResult[]>> {
  const decided: CheckResult[] = [];
  const undecided: Undecided[] = [];
  for (const { refusal, ...trial } of trials) {
    const run = () => Promise.reject(new WronglyRefused('a call to pass', refusal, { plain, ...trial }));
    const found = await runCheck({ id: 'hook-1-test', requirement: 'HOOK-1', needs: [], run }, context);
    if ('decide' in found) undecided.push(found);
    else decided.push(found);
  }
  return async () => [...decided, ...(await decideAll(context, undecided)).map(({ result }) => result)];
}

/** A context whose clock only counts waiting time. */
function contextInTime(): { context: Context; waitedMs: () => number } {
  let waited = 0;
  const wait = async (ms: number) => {
    waited += Math.max(0, ms);
  };
  const clock: Clock = {
    now: () => waited,
    moment: () => ({ from: waited, to: waited }),
    waitUntil: (time) => wait(time - waited),
    pass: wait,
    announce: () => {},
    mark: () => {},
    settle: async () => {},
    isMoved: false,
  };
  return { context: Object.assign(openContext(), { clock }), waitedMs: () => waited };
}

const secret = 'p"ss\\<1>/wörd';
const inJson = JSON.stringify(secret).slice(1, -1);

test('redacts the evidence of a failure', async () => {
  const exchange = exchangeOf({ code: 0, trace_id: secret });
  const url = `http://127.0.0.1:9/webhooks/${encodeURIComponent(inJson)}?next=${encodeURIComponent(secret)}`;
  const shown = { ...exchange, request: { ...exchange.request, url } };
  const result = await resultOf(
    new PromiseBroken(`another than ${secret}`, inJson, shown, {
      moments: [{ afterMs: 0, what: `refused ${secret}` }],
    }),
  );
  expect(result).toMatchObject({
    expected: 'another than {SITEPUB_API_KEY}',
    actual: '{SITEPUB_API_KEY}',
    trace_id: '{SITEPUB_API_KEY}',
    timeline: [{ after_s: 0, what: 'refused {SITEPUB_API_KEY}' }],
    call: { path: '/webhooks/{SITEPUB_API_KEY}?next={SITEPUB_API_KEY}' },
  });
  expect(JSON.stringify(result)).not.toMatch(/ss.{0,20}<1>|w(ö|%C3)/);
});

test('redacts an answer before it is cut', async () => {
  for (let before = 1_960; before < 1_980; before += 1) {
    const exchange = exchangeOf({ code: 0, text: 'x'.repeat(before) + secret + secret });
    const result = await resultOf(new PromiseBroken('one', 'another', exchange));
    expect('call' in result && result.call?.answer).toMatch(/^[^p]*x(…|\{[{}A-Z_]*…)$/);
  }
});

test('redacts why a check did not run', async () => {
  const found = { receiver: {}, unreached: `nothing reaches ${secret}` };
  const context = Object.assign(openContext({ apiKey: secret }), found);
  expect(await runCheck({ ...checkThat(new Error()), needs: ['receiver'] }, context)).toMatchObject({
    outcome: 'not-verified',
    reason: 'nothing reaches {SITEPUB_API_KEY}',
  });
});

async function resultOf(error: Error) {
  return runCheck(checkThat(error), openContext({ apiKey: secret }));
}

function checkThat(error: Error): Check {
  return { id: 'env-1-test', requirement: 'ENV-1', needs: [], run: () => Promise.reject(error) };
}
