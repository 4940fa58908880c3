// Which of the pushes that an event or a test may have caused are test messages.
import { succeeded } from '../core/exchange.ts';
import { saysTheSame } from './attempts.ts';
import type { Push } from './push-receiver.ts';
import { eventNamed } from './read-push.ts';
import { isAfterAny, type Target, type TargetContext, targetsOf } from './targets.ts';

interface TestMessageContext extends TargetContext {
  runId: string;
}

/** Whether a push that an event or a test may have caused is the test message. */
export function isTestMessage(context: TestMessageContext, push: Push, target: Target): boolean {
  const early = certainTestMessages(target);
  if (early.some(({ body }) => body.equals(push.body))) return true;
  const arrived = new Set(early.map(({ body }) => body.toString('latin1')));
  const taken = target.tests.filter(({ exchange }) => !exchange || succeeded(exchange));
  if (arrived.size >= taken.length || push.body.includes(`sitepub-${context.runId}`)) return false;
  return !isPushedElsewhere(context, push);
}

/**
 * Whether a target that was never tested has got the same, or as many pushes of the same event at that time as the target itself. Where
 * test messages are known to name other events, any other target will do.
 */
function isPushedElsewhere(context: TargetContext, push: Push): boolean {
  const all = [...targetsOf(context).values()];
  const atThatTime = ({ pushes }: Target) => pushes.filter((one) => isOfSameOccurrence(one, push));
  const here = all.find(({ path }) => path === push.path);
  const count = here ? countDifferent(atThatTime(here), saysTheSame) : 0;
  const named = new Set(all.flatMap(certainTestMessages).map(eventNamed));
  const isNoTest = named.size > 0 && !named.has(eventNamed(push));
  const others = all.filter(({ path, tests }) => path !== push.path && (isNoTest || tests.length === 0));
  return others.some(
    (other) =>
      (other.tests.length === 0 && other.pushes.some((one) => saysTheSame(one, push))) ||
      (count > 0 && countDifferent(atThatTime(other), isCopy) >= count),
  );
}

function countDifferent(pushes: readonly Push[], isSame: (one: Push, other: Push) => boolean): number {
  return pushes.filter((push, index) => !pushes.slice(0, index).some((one) => isSame(one, push))).length;
}

/** Two occurrences of an event may say the same on one channel, and not on another. */
function isCopy(one: Push, other: Push): boolean {
  return one.body.equals(other.body);
}

function certainTestMessages({ pushes, tests, events }: Target): Push[] {
  return pushes.filter((push) => isAfterAny(push, tests) && !isAfterAny(push, events));
}

/** Pushes that name the same event this close together are of one occurrence of it, in milliseconds. */
const occurrenceMs = 1_000;

function isOfSameOccurrence(one: Push, other: Push): boolean {
  const event = eventNamed(one);
  const isTogether = Math.abs(one.arrived.from - other.arrived.from) <= occurrenceMs;
  return isTogether && event !== undefined && event === eventNamed(other);
}
