// The call that tests a subscription, and the push that it causes.
import { eventNames } from '../../../openapi/event-names.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { answerLeaves } from '../../core/json-leaves.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { firstOfDocument } from '../../push-receiver/read-push.ts';
import { hintedNames } from '../names/hints.ts';
import { eventNameFields, findNeededName, spellLike, unique } from '../names/likely.ts';
import { type DiscoveredSubscription, type Probe, receiverOf, reportProgress } from '../probe.ts';
import type { Tested } from '../subscription/creation-answer.ts';
import { testSubscription } from '../subscription/requests.ts';
import { type TestedSubscription, testSpare, watchLateGreeting } from './test-pushes.ts';
import { eventNameOf, fieldOf, pushCount, waitForPush } from './wait.ts';

/** The subscription that was tested to see how that is done, with the answer, and its last push where pushes arrive. */
export interface FirstTest extends Omit<TestedSubscription, 'push'> {
  push: Push | undefined;
}

/** How the call is made and answered. Undefined where it can't be made. */
export async function probeTestCall(
  probe: Probe,
  { subscription, answer: plain }: Tested,
): Promise<FirstTest | undefined> {
  reportProgress(probe, 'testing a subscription');
  const { findings, seen } = probe;
  if (succeeded(plain))
    findings.found('hook-test.status', plain.response.status, 'the status of the answer to a test');
  else seen.needsTestBody = true;
  const empty = succeeded(plain) ? await testSubscription(probe, subscription, {}) : plain;
  if (!succeeded(empty)) {
    const answer = (await findBody(probe, subscription, empty)) ?? plain;
    return succeeded(answer)
      ? { subscription, answer, push: await awaitPushes(probe, subscription, 1) }
      : undefined;
  }
  const latest = await awaitPushes(probe, subscription, 2);
  const chosen = latest && (await eventFieldByPush(probe, subscription, latest));
  const [body, evidence] =
    chosen === undefined
      ? ['none', 'a test without a body passed, and so did one with an empty object']
      : [{ [chosen]: '{event}' }, `a test with "${chosen}" sent the event that it named`];
  findings.found('hook-test.request', body, evidence);
  return { subscription, answer: plain, push: latest };
}

/** The first pushes show how late they are, and perhaps that the first of all was a greeting. Returns the last of so many tests. */
async function awaitPushes(
  probe: Probe,
  { path }: DiscoveredSubscription,
  tests: number,
): Promise<Push | undefined> {
  const first = await waitForPush(probe, path);
  if (!first) return undefined;
  const isGreeted = await watchLateGreeting(probe);
  return (await waitForPush(probe, path, isGreeted ? tests + 1 : tests)) ?? first;
}

/** Finds the field of the body, named in the refusal of an empty one or by a likely name. Returns the answer to a test with it. */
async function findBody(
  probe: Probe,
  subscription: DiscoveredSubscription,
  refusal: Exchange,
): Promise<Exchange | undefined> {
  const { findings } = probe;
  const { sure, possible } = hintedNames(refusal);
  const named = unique([...sure, ...possible].filter((name) => /event|type|topic|name/i.test(name)));
  const likely = spellLike(eventNameFields, named[0] ?? String(findings.value('subscription.request.url')));
  let passed: Exchange | undefined;
  const attempt = async (names: readonly string[]) => {
    const body = Object.fromEntries(names.map((name) => [name, subscription.events[0]]));
    const answer = await testSubscription(probe, subscription, body);
    if (!succeeded(answer)) return false;
    passed = answer;
    findings.found('hook-test.status', answer.response.status, 'the status of the answer to a test');
    return true;
  };
  for (const names of [named, unique([...named, ...likely])]) {
    if (names.length === 0 || !(await attempt(names))) continue;
    const name = await findNeededName(names, attempt);
    if (name === undefined) continue;
    const evidence = `a test that named an event as "${name}" passed, one with an empty object was refused`;
    findings.found('hook-test.request', { [name]: '{event}' }, evidence);
    return passed;
  }
  const reason = `no body with an event under a likely name was accepted (${describeAnswer(refusal)})`;
  findings.missed(['hook-test.request'], reason);
  return undefined;
}

/** Each likely field has another event: the push shows which one was read. */
async function eventFieldByPush(
  probe: Probe,
  subscription: DiscoveredSubscription,
  before: Push,
): Promise<string | undefined> {
  const events = subscription.events.filter((event) => event !== eventNameOf(before));
  const named = new Map(eventNameFields.map((name, index) => [name, events[index % events.length]]));
  const { path } = subscription;
  const next = pushCount(probe, path) + 1;
  if (!succeeded(await testSubscription(probe, subscription, Object.fromEntries(named)))) return undefined;
  const push = await waitForPush(probe, path, next);
  return push && [...named].find(([, event]) => event === eventNameOf(push))?.[0];
}

const messageGaps = ['hook-test.body', 'hook-test.event'];

/** Reads the test pushes of subscriptions, which have chosen other events. */
export function readTestMessages(probe: Probe, tests: readonly TestedSubscription[]): undefined {
  const { findings } = probe;
  const [{ push } = {}] = tests;
  if (!push) return findings.missed(messageGaps, 'no test push arrived');
  const isEvent = ['event', 'timestamp', 'site_id', 'site_name', 'data'].every(
    (name) => fieldOf(push, name) !== undefined,
  );
  const evidence = `the test push ${isEvent ? 'had' : 'did not have'} the fields of section 6.3`;
  findings.found('hook-test.body', isEvent ? 'event' : 'other', evidence);
  // Where the body names no event, the header of a signed push does.
  findEvent(
    probe,
    tests.filter((one) => eventNameOf(one.push) !== undefined),
  );
}

function findEvent({ findings, seen }: Probe, tests: readonly TestedSubscription[]): undefined {
  const names = tests.map(({ push }) => eventNameOf(push));
  const [name] = names;
  const what = `the test pushes named ${names.join(' and ')}`;
  const is = (event: (events: readonly string[]) => string | undefined) =>
    tests.every(({ subscription }, index) => event(subscription.events) === names[index]);
  const gap = 'hook-test.event';
  if (seen.needsTestBody) return findings.missed([gap], 'every test call has to name the event');
  if (new Set(tests.map(({ subscription }) => subscription.events[0])).size < 2)
    return findings.missed([gap], 'too few test pushes named an event');
  if (is(([first]) => first))
    return findings.found(gap, 'subscribed', `${what}, each the first event of its subscription`);
  if (is(firstInDocument))
    return findings.found(
      gap,
      firstOfDocument,
      `${what}, each the one of its subscription's events that the document lists first`,
    );
  if (typeof name === 'string' && /^[a-z][a-z0-9_.-]*$/.test(name) && new Set(names).size === 1)
    return findings.found(gap, name, what);
  findings.missed([gap], `${what}, which is neither always the same nor the first event of the subscription`);
}

function firstInDocument(events: readonly string[]): string | undefined {
  return eventNames.find((name) => events.includes(name));
}

export const deliveredGap = 'hook-test.delivered';

/**
 * Finds a boolean of the answer that is true for a target that accepts the push and false for one that does not. Returns the test whose target did not,
 * where one was needed.
 */
export async function probeDelivered(
  probe: Probe,
  accepted: Exchange,
): Promise<TestedSubscription | undefined> {
  const { findings } = probe;
  const booleans = answerLeaves(accepted.response.json).filter(({ value }) => typeof value === 'boolean');
  if (booleans.length === 0)
    return findings.found(deliveredGap, 'absent', 'the answer to a test has no boolean');
  if (!receiverOf(probe)) {
    const places = booleans.map(({ pointer }) => pointer).join(', ');
    return findings.missed(
      [deliveredGap],
      `the answer to a test has a boolean at ${places}; whether it reports the delivery can be seen with a receiver`,
    );
  }
  const refused = await testSpare(probe, { status: 500 });
  const leaves = answerLeaves(refused.answer.response.json);
  const reporting = booleans.find((leaf) =>
    leaves.some((one) => one.pointer === leaf.pointer && one.value === !leaf.value),
  );
  const evidence = reporting
    ? 'it was true for a target that answered 200 and false for one that answered 500'
    : 'no boolean of the answer says whether the target accepted the push';
  findings.found(deliveredGap, reporting?.pointer ?? 'absent', evidence);
  return refused;
}
