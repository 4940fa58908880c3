// The call that tests a subscription, and the message that it sends.

import { eventNames } from '../../openapi/event-names.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import { describeAnswer, type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { nextPath, type Probe, progress } from './discovery-probe.ts';
import { findNeededName } from './find-needed-name.ts';
import { answerLeaves } from './json-leaves.ts';
import { eventNameFields, namesIn, unique } from './likely-names.ts';
import { secretOf } from './probe-secret.ts';
import { type DiscoveredSubscription, testSubscription } from './probe-subscription.ts';
import {
  arrivalAt,
  createdSubscription,
  eventOf,
  fieldOf,
  type Tested,
  testedSubscription,
} from './test-pushes.ts';

/** All seven, so that a test call may name any; the first one is named by no other subscription first. */
const allEvents: readonly EventName[] = [
  'content.update',
  ...eventNames.filter((name) => name !== 'content.update'),
];
const otherEvents: readonly EventName[] = ['comment.created', 'publish.failed'];

/** How the call is made and answered. Says whether it can be made. */
export async function probeTestCall(probe: Probe): Promise<boolean> {
  progress(probe, 'testing a subscription');
  const { findings } = probe;
  const hook = await createdSubscription(probe, { events: allEvents, ...withSecret(probe, 'call') });
  const plain = await testSubscription(probe, hook.id);
  if (succeeded(plain))
    findings.found('hook-test.status', plain.response.status, 'the status of the answer to a test');
  else probe.needsTestBody = true;
  const empty = succeeded(plain) ? await testSubscription(probe, hook.id, {}) : plain;
  if (!succeeded(empty)) return findBody(probe, hook, empty);
  const chosen = await eventFieldByPush(probe, hook);
  if (chosen !== undefined)
    findings.found(
      'hook-test.request',
      { [chosen]: '{event}' },
      `a test with "${chosen}" sent the event that it named`,
    );
  else
    findings.found(
      'hook-test.request',
      'none',
      'a test without a body passed, and so did one with an empty object',
    );
  return true;
}

function withSecret(probe: Probe, number: string): { secret?: string } {
  return probe.findings.has('subscription.request.secret') ? { secret: secretOf(probe, number) } : {};
}

/** A body is read: its field is named in the refusal, or it is one of the likely ones. */
async function findBody(probe: Probe, hook: DiscoveredSubscription, refusal: Exchange): Promise<boolean> {
  const { findings } = probe;
  const named = namesIn(String(envelopeOf(refusal).message ?? '')).filter((name) =>
    /event|type|topic|name/i.test(name),
  );
  const attempt = async (names: readonly string[]) => {
    const body = Object.fromEntries(names.map((name) => [name, allEvents[0]]));
    const answer = await testSubscription(probe, hook.id, body);
    if (succeeded(answer))
      findings.found('hook-test.status', answer.response.status, 'the status of the answer to a test');
    return succeeded(answer);
  };
  for (const names of [named, unique([...named, ...eventNameFields])]) {
    if (names.length === 0 || !(await attempt(names))) continue;
    const name = await findNeededName(names, attempt);
    if (name === undefined) continue;
    findings.found(
      'hook-test.request',
      { [name]: '{event}' },
      `a test that named an event as "${name}" passed, one with an empty object was refused`,
    );
    return true;
  }
  findings.missed(
    ['hook-test.request'],
    `no body with an event under a likely name was accepted (${describeAnswer(refusal)})`,
  );
  return !probe.needsTestBody;
}

/** Each likely field names another event: the push says which one was read. */
async function eventFieldByPush(probe: Probe, hook: DiscoveredSubscription): Promise<string | undefined> {
  const first = await arrivalAt(probe, hook.path);
  if (!first) return undefined;
  const events = allEvents.filter((event) => event !== eventOf(first));
  const named = new Map(eventNameFields.map((name, index) => [name, events[index % events.length]]));
  const before = probe.listener?.pushesTo(hook.path).length ?? 0;
  if (!succeeded(await testSubscription(probe, hook.id, Object.fromEntries(named)))) return undefined;
  const push = await arrivalAt(probe, hook.path, before + 1);
  return push && [...named].find(([, event]) => event === eventOf(push))?.[0];
}

/** What the test message looks like; gives what was tested, for what its pushes show besides. */
export async function probeTestMessage(probe: Probe): Promise<Tested[]> {
  const { findings } = probe;
  const first = await testedSubscription(probe, withSecret(probe, 'a'));
  const second = await testedSubscription(probe, { events: otherEvents, ...withSecret(probe, 'b') });
  const isEvent = ['event', 'timestamp', 'site_id', 'site_name', 'data'].every(
    (name) => fieldOf(first.push, name) !== undefined,
  );
  findings.found(
    'hook-test.body',
    isEvent ? 'event' : 'other',
    `the test push ${isEvent ? 'had' : 'lacked'} the fields of section 6.3`,
  );
  findEvent(probe, [first, second]);
  return [first, second];
}

function findEvent({ findings, needsTestBody }: Probe, tests: readonly Tested[]): undefined {
  const names = tests.map(({ push }) => eventOf(push));
  const seen = `the test pushes named ${names.join(' and ')}`;
  if (needsTestBody)
    return findings.missed(['hook-test.event'], 'every test call has to say which event it names');
  if (tests.every(({ hook, push }) => hook.events[0] === eventOf(push)))
    return findings.found(
      'hook-test.event',
      'subscribed',
      `${seen}, the first event that was chosen each time`,
    );
  const [name] = names;
  if (typeof name === 'string' && /^[a-z][a-z0-9_.-]*$/.test(name) && new Set(names).size === 1)
    return findings.found('hook-test.event', name, seen);
  findings.missed(['hook-test.event'], `${seen}, which is neither always the same nor the first one chosen`);
}

const deliveredGap = 'hook-test.delivered';

/** A boolean of the answer that is true for a target that takes the message and false for one that does not. */
export async function probeDelivered(probe: Probe, taken: Exchange): Promise<undefined> {
  const { findings, listener } = probe;
  const booleans = answerLeaves(taken.response.json).filter(({ value }) => typeof value === 'boolean');
  if (booleans.length === 0)
    return findings.found(deliveredGap, 'absent', 'the answer to a test has no boolean');
  if (!listener) {
    const places = booleans.map(({ pointer }) => pointer).join(', ');
    return findings.missed(
      [deliveredGap],
      `the answer to a test has a boolean at ${places}; whether it tells of the delivery shows with a receiver`,
    );
  }
  const path = nextPath(probe);
  listener.answer(path, [{ status: 500 }]);
  const { answer } = await testedSubscription(probe, { path });
  const failed = answerLeaves(answer.response.json);
  const turned = booleans.find((leaf) =>
    failed.some((one) => one.pointer === leaf.pointer && one.value === !leaf.value),
  );
  if (!turned)
    return findings.found(
      deliveredGap,
      'absent',
      'no boolean of the answer says whether the target took the message',
    );
  findings.found(
    deliveredGap,
    turned.pointer,
    'it was true for a target that answered 200 and false for one that answered 500',
  );
}
