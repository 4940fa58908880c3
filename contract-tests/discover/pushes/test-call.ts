import { eventNames } from '../../../openapi/event-names.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { answerLeaves } from '../../core/json-leaves.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { firstOfDocument } from '../../push-receiver/read-push.ts';
import { hintedNames } from '../names/hints.ts';
import { eventNameFields, findField } from '../names/likely.ts';
import type { DiscoveredSubscription, Probe, TestedSubscription } from '../probe.ts';
import { optionalSecret, testSubscription } from '../subscription/requests.ts';
import {
  createAndTest,
  eventNameOf,
  fieldOf,
  type PushedSubscription,
  waitForPush,
  watchLateGreeting,
} from './test-pushes.ts';

const requestGap = 'hook-test.request';

/** Finds the body and status of the test call. Returns the last test; undefined if no test passed. */
export async function probeTestCall(
  probe: Probe,
  { subscription, answer: plain }: TestedSubscription,
): Promise<TestedSubscription | undefined> {
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
  const push = await awaitPushes(probe, subscription, 2);
  const evidence = 'a test without a body passed, and one with an empty object as well';
  findings.found(requestGap, 'none', evidence);
  return { subscription, answer: plain, push };
}

/** The first pushes show their delay, and perhaps that the first one was a greeting. Returns the push of the last test. */
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

/** Returns the answer to a test with the right field. */
async function findBody(
  probe: Probe,
  subscription: DiscoveredSubscription,
  refusal: Exchange,
): Promise<Exchange | undefined> {
  const { findings } = probe;
  let passed: Exchange | undefined;
  const passes = async (names: readonly string[]) => {
    const body = Object.fromEntries(names.map((name) => [name, subscription.events[0]]));
    const answer = await testSubscription(probe, subscription, body);
    if (succeeded(answer)) passed = answer;
    return succeeded(answer);
  };
  const search = {
    isLikely: (name: string) => /event|type|topic|name/i.test(name),
    likely: eventNameFields,
    example: String(findings.value('subscription.request.url')),
  };
  const name = await findField(hintedNames(refusal), search, passes);
  if (name === undefined || !passed)
    return findings.missed(
      [requestGap],
      `the deployment accepted an event under no likely name (${describeAnswer(refusal)})`,
    );
  const evidence = `a test with an event in "${name}" passed; one with an empty object was refused`;
  findings.found(requestGap, { [name]: '{event}' }, evidence);
  findings.found('hook-test.status', passed.response.status, 'the status of the answer to a test');
  return passed;
}

export const messageGaps = ['hook-test.body', 'hook-test.event'];

/** Both subscriptions have different events. */
export async function readTestMessages(
  probe: Probe,
  { plain, signed }: Record<'plain' | 'signed', PushedSubscription>,
): Promise<undefined> {
  const isEvent = ['event', 'timestamp', 'site_id', 'site_name', 'data'].every(
    (name) => fieldOf(signed.push, name) !== undefined,
  );
  const evidence = `the test push ${isEvent ? 'had' : 'did not have'} the fields of section 6.3`;
  probe.findings.found('hook-test.body', isEvent ? 'event' : 'other', evidence);
  if (probe.seen.needsTestBody)
    return probe.findings.missed(messageGaps, 'each test call must name an event');
  // If the body names no event, the header of a signed push does.
  const isNamed = eventNameOf(plain.push) !== undefined;
  const other = { events: ['content.delete'], ...optionalSecret(probe) };
  findEvent(probe, [signed, isNamed ? plain : await createAndTest(probe, other)]);
}

function findEvent({ findings }: Probe, tests: readonly PushedSubscription[]): undefined {
  const gap = 'hook-test.event';
  const names = tests.map(({ push }) => eventNameOf(push));
  const seen = `the test pushes named ${names.join(' and ')}`;
  const isAlways = (event: (events: readonly string[]) => unknown) =>
    tests.every(({ subscription }, index) => event(subscription.events) === names[index]);
  if (isAlways(([first]) => first))
    findings.found(gap, 'subscribed', `${seen}, each the first event of its subscription`);
  else if (isAlways(firstInDocument))
    findings.found(gap, firstOfDocument, `${seen}, each the subscribed event that the document lists first`);
  else if (isAlways(() => names[0])) findings.found(gap, names[0], seen);
  else findings.missed([gap], `${seen}, neither one constant event nor the first one of each subscription`);
}

function firstInDocument(events: readonly string[]): string | undefined {
  return eventNames.find((name) => events.includes(name));
}

/** A boolean in the answer to a test may report the delivery. */
export function readDelivered({ findings }: Probe, answer: Exchange): undefined {
  const gap = 'hook-test.delivered';
  const booleans = answerLeaves(answer.response.json).filter(({ value }) => typeof value === 'boolean');
  if (booleans.length === 0) return findings.found(gap, 'absent', 'the answer to a test has no boolean');
  const places = booleans.map(({ pointer }) => pointer).join(', ');
  findings.missed(
    [gap],
    `the answer to a test has a boolean at ${places}; state the one that reports the delivery`,
  );
}
