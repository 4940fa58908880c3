// Classifies pushes, because the suite judges only those that this run caused: a deployment may greet new targets, test pushes may
// arrive late, and other clients may use the site.
import { isEventful } from '../core/event-operations.ts';
import { type SentRequest, succeeded } from '../core/exchange.ts';
import type { Clock } from '../deployment/deployment-clock.ts';
import type { Remarks } from '../deployment/remarks.ts';
import { saysTheSame } from './attempts.ts';
import { isTestMessage } from './is-test-message.ts';
import type { Push } from './push-receiver.ts';
import { bodyOf, describePush, eventNamed } from './read-push.ts';
import { isAfterAny, type Target, type TargetContext, targetsOf } from './targets.ts';
import { comesWithin } from './wait-for-push.ts';

/**
 * - `greeting`: the first push, before any test or event could have caused it, or within 2 s of the creation if the deployment greets
 *   targets of this kind;
 * - `test`: the run sent a test call for this target before, and no event explains the push;
 * - `event`: something happened on the site before;
 * - `unknown`: any other push, for example about another site. The suite judges neither this nor a greeting.
 */
export type PushKind = 'greeting' | 'test' | 'event' | 'unknown';

export interface CauseContext extends TargetContext {
  runId: string;
  clock: Pick<Clock, 'now'>;
}

/** A greeting arrives within this time after the creation, in milliseconds. */
const greetingMs = 2_000;

export function pushesOfKind(context: CauseContext, path: string, kind: PushKind): readonly Push[] {
  const pushes = context.receiver?.pushesTo(path) ?? [];
  return pushes.filter((push) => kindOf(context, push) === kind);
}

/** The first test push to a path after its request. */
export function testPushAfter(
  context: CauseContext,
  path: string,
  { order }: Pick<SentRequest, 'order'>,
): Push | undefined {
  const test = pushesOfKind(context, path, 'test').find((push) => push.order > order);
  if (test) return test;
  // If no event was caused since, even a push that an earlier event could explain is the test push.
  const later = context.requests.filter((request) => request.order > order && isEventful(request.operation));
  return pushesOfKind(context, path, 'event').find((push) => push.order > order && !isAfterAny(push, later));
}

/** Classifies a push by the requests before it. */
export function kindOf(context: CauseContext, push: Push): PushKind {
  const target = targetsOf(context).get(push.path);
  if (!target) return 'unknown';
  const hasTest = isAfterAny(push, target.tests);
  const hasEvent = isAfterAny(push, target.events);
  if (!hasTest && !hasEvent)
    return target.pushes[0] === push && isUnprovoked(context, target) ? 'greeting' : 'unknown';
  if (isGreetingAt(context, push, target)) return 'greeting';
  if (!hasEvent) return 'test';
  return hasTest && isTestMessage(context, push, target) ? 'test' : 'event';
}

/** Waits at most 2 s for the greeting of a new target, so that it is not mistaken for a later push. Does not wait if the kind gets none. */
export async function awaitGreeting(context: CauseContext & { clock: Clock }, path: string): Promise<void> {
  const target = targetsOf(context).get(path);
  const untilMs = target ? greetedUntil(target) - context.clock.now() : 0;
  if (!target || untilMs <= 0 || isKindQuiet(context, target)) return;
  await comesWithin(context, () => targetsOf(context).get(path)?.pushes[0] !== undefined, untilMs);
}

/** A deployment may take this long to know a new subscription everywhere, in milliseconds. */
const unknownMs = 2_000;

/** Waits until the deployment knows all subscriptions everywhere, so that each gets the next events. */
export async function awaitKnown(context: TargetContext & { clock: Clock }): Promise<void> {
  const created = [...targetsOf(context).values()].flatMap(({ creations }) => creations.filter(isAnswered));
  const latest = Math.max(0, ...created.map(({ answeredAt, at }) => answeredAt ?? at));
  await context.clock.settle();
  await context.clock.waitUntil(latest + unknownMs, 'new subscriptions to be known everywhere');
}

function isAnswered({ exchange }: SentRequest): boolean {
  return exchange?.values.id !== undefined;
}

/** Whether the first test push to any target took longer than `ms`, or is overdue by that. */
export function wasAnyLate(context: CauseContext, ms: number): boolean {
  return [...targetsOf(context).values()].some(({ tests: [test], pushes }) => {
    if (!test?.exchange || !succeeded(test.exchange)) return false;
    const first = pushes.find(({ order }) => order > test.order);
    return (first?.arrived.from ?? context.clock.now()) - test.at > ms;
  });
}

export function remarkGreetings(context: CauseContext & { remarks: Remarks }): void {
  for (const push of context.receiver?.everyPush() ?? [])
    if (kindOf(context, push) === 'greeting') context.remarks.add('greeting', describePush(push));
}

function greetedUntil({ creations: [creation] }: Target): number {
  return (creation.answeredAt ?? creation.at) + greetingMs;
}

/** Other targets of the same kind. A deployment that greets targets greets at least those with a secret. */
function others(context: CauseContext, target: Target): Target[] {
  const [{ values }] = target.creations;
  return [...targetsOf(context).values()].filter(({ path, kind, creations: [other] }) => {
    const isLikely = values.secret === undefined || other.values.secret !== undefined;
    return path !== target.path && isLikely && kind === target.kind;
  });
}

/** Whether a push after a cause is still the greeting: it has the shape of the kind's greetings, or is the first that may be one. */
function isGreetingAt(context: CauseContext, push: Push, target: Target): boolean {
  const until = greetedUntil(target);
  if (push.arrived.from >= until || isUnprovoked(context, target)) return false;
  const greetings = greetingsOfKind(context, target);
  if (greetings.length === 0) return false;
  const early = target.pushes.filter(({ arrived }) => arrived.from < until);
  const shapes = new Set(greetings.map(shapeOf));
  // If greetings name no event, a push that names one is not a greeting.
  const isNamed = greetings.some((greeting) => eventNamed(greeting) !== undefined);
  const greeting =
    early.find((one) => shapes.has(shapeOf(one))) ??
    early.find((one) => isNamed || eventNamed(one) === undefined);
  return push === greeting;
}

/** Unprovoked first pushes to other targets of the kind. Empty if any target got none, because then other clients caused the pushes. */
function greetingsOfKind(context: CauseContext, target: Target): Push[] {
  if (isKindQuiet(context, target)) return [];
  const greeted = others(context, target).filter((other) => isUnprovoked(context, other));
  return greeted.flatMap(({ pushes: [first] }) => first ?? []);
}

/** The member names, which distinguish a greeting from a test message. */
function shapeOf(push: Push): string {
  const body = bodyOf(push);
  return typeof body === 'object' && body !== null ? Object.keys(body).sort().join() : typeof body;
}

/** Whether the first push to a target came before any test or event since its creation. A late event that other targets got does not count. */
function isUnprovoked(context: CauseContext, { creations: [creation], tests, pushes }: Target): boolean {
  const [first] = pushes;
  if (!first || isAfterAny(first, tests)) return false;
  const isCaused = context.requests.some(
    (request) =>
      request.order > creation.order && request.order < first.order && isEventful(request.operation),
  );
  return !isCaused && !isEventOfOthers(context, first);
}

/** Ignores pushes to other new targets, because those may be identical greetings. */
function isEventOfOthers(context: CauseContext, push: Push): boolean {
  const all = [...targetsOf(context).values()].filter(({ path }) => path !== push.path);
  return all.some((target) =>
    target.pushes
      .filter((other) => saysTheSame(other, push) && other.arrived.from >= greetedUntil(target))
      .some((other) => isAfterAny(other, target.events)),
  );
}

/** Whether another target of the kind got no push within the time for greetings. */
function isKindQuiet(context: CauseContext, target: Target): boolean {
  return others(context, target).some((other) => {
    const until = greetedUntil(other);
    const [first] = other.pushes;
    const isOver = Math.min(firstCauseAt(other), context.clock.now()) >= until;
    return (
      isOver &&
      isAnswered(other.creations[0]) &&
      isListening(context, other) &&
      (first === undefined || first.arrived.from >= until)
    );
  });
}

/** The suite sees no pushes to addresses outside its receiver, or to a port that is closed at first. */
function isListening({ receiver }: CauseContext, { path, creations: [{ values }] }: Target): boolean {
  return receiver !== undefined && String(values.url).startsWith(receiver.urlOf(path));
}

function firstCauseAt({ tests, events }: Pick<Target, 'tests' | 'events'>): number {
  return Math.min(...[...tests, ...events].map(({ at }) => at));
}
