import { succeeded } from '../core/exchange.ts';
import { saysTheSame } from './attempts.ts';
import type { Push } from './push-receiver.ts';
import { eventNamed } from './read-push.ts';
import { isAfterAny, type Target, type TargetContext, targetsOf } from './targets.ts';

interface TestMessageContext extends TargetContext {
  runId: string;
}

/** Whether a push is the test message, if an event could also have caused it. */
export function isTestMessage(context: TestMessageContext, push: Push, target: Target): boolean {
  const early = certainTestMessages(target);
  if (early.some(({ body }) => body.equals(push.body))) return true;
  const arrived = new Set(early.map(({ body }) => body.toString('latin1')));
  const taken = target.tests.filter(({ exchange }) => !exchange || succeeded(exchange));
  if (arrived.size >= taken.length || push.body.includes(`sitepub-${context.runId}`)) return false;
  return !isPushedElsewhere(context, push);
}

/**
 * Whether an untested target got the same push, or an equal number of pushes of the event at that time. If test messages are known to name other events,
 * tested targets count too.
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

/** Compares whole bodies, because two occurrences of an event may have equal data. */
function isCopy(one: Push, other: Push): boolean {
  return one.body.equals(other.body);
}

function certainTestMessages({ pushes, tests, events }: Target): Push[] {
  return pushes.filter((push) => isAfterAny(push, tests) && !isAfterAny(push, events));
}

/** Pushes of an event this close together belong to one occurrence, in milliseconds. */
const occurrenceMs = 1_000;

function isOfSameOccurrence(one: Push, other: Push): boolean {
  const event = eventNamed(one);
  const isTogether = Math.abs(one.arrived.from - other.arrived.from) <= occurrenceMs;
  return isTogether && event !== undefined && event === eventNamed(other);
}
