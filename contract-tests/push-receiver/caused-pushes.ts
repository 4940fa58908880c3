// What a push is: only what this run has caused is judged. A new target may be greeted, a test push may come late, and others use
// the site as well.
import { type SentRequest, succeeded } from '../core/exchange.ts';
import type { Clock } from '../deployment/deployment-clock.ts';
import type { Remarks } from '../deployment/remarks.ts';
import { saysTheSame } from './attempts.ts';
import { isTestMessage } from './is-test-message.ts';
import type { Push } from './push-receiver.ts';
import { bodyOf, describePush, eventNamed } from './read-push.ts';
import { isAfterAny, isEventful, type Target, type TargetContext, targetsOf } from './targets.ts';
import { comesWithin } from './wait-for-push.ts';

/**
 * - `greeting`: the first push, before any test or event could have caused it, or within 2 s of the creation where targets of this kind
 *   are greeted;
 * - `test`: a test call for this target was sent before, and no event explains it;
 * - `event`: something was done on the site before, here or by others;
 * - `unknown`: another push before any cause, such as one about another site. Neither this nor a greeting is judged.
 */
export type PushKind = 'greeting' | 'test' | 'event' | 'unknown';

/** What telling the kinds of pushes apart needs; a context of the run has it. */
export interface CauseContext extends TargetContext {
  runId: string;
  clock: Pick<Clock, 'now'>;
}

/** How long after its creation a target may be greeted, in milliseconds. */
const greetingMs = 2_000;

/** The pushes of one kind to a path so far, in the order of arrival. */
export function pushesOfKind(context: CauseContext, path: string, kind: PushKind): readonly Push[] {
  const pushes = context.receiver?.pushesTo(path) ?? [];
  return pushes.filter((push) => kindOf(context, push) === kind);
}

/** The first test push to a path that came after the request for it was sent. */
export function testPushAfter(
  context: CauseContext,
  path: string,
  { order }: Pick<SentRequest, 'order'>,
): Push | undefined {
  const test = pushesOfKind(context, path, 'test').find((push) => push.order > order);
  if (test) return test;
  // Where nothing was done since, a push that an earlier event may explain is the test message all the same.
  const later = context.requests.filter((request) => request.order > order && isEventful(request));
  return pushesOfKind(context, path, 'event').find((push) => push.order > order && !isAfterAny(push, later));
}

/** What a push is, by the requests that were sent before it came. */
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

/**
 * Waits until a new target would have been greeted, 2 s at most, so that the greeting is not taken for what is caused next. Where an
 * earlier target of its kind was not greeted, it does not wait.
 */
export async function awaitGreeting(context: CauseContext & { clock: Clock }, path: string): Promise<void> {
  const target = targetsOf(context).get(path);
  const untilMs = target ? greetedUntil(target) - context.clock.now() : 0;
  if (!target || untilMs <= 0 || isKindQuiet(context, target)) return;
  await comesWithin(context, () => targetsOf(context).get(path)?.pushes[0] !== undefined, untilMs);
}

/** How long after its creation a subscription may not be known to every part of the deployment, in milliseconds. */
const unknownMs = 2_000;

/** Waits until every part of the deployment knows all subscriptions, so that what is caused next is pushed to each. */
export async function awaitKnown(context: TargetContext & { clock: Clock }): Promise<void> {
  const created = [...targetsOf(context).values()].flatMap(({ creations }) => creations.filter(isAnswered));
  const latest = Math.max(0, ...created.map(({ answeredAt, at }) => answeredAt ?? at));
  await context.clock.settle();
  await context.clock.waitUntil(latest + unknownMs, 'new subscriptions to be known everywhere');
}

function isAnswered({ exchange }: SentRequest): boolean {
  return exchange?.values.id !== undefined;
}

/** Whether the first push that a test had to cause at any target came after more than `ms`, or has not come for as long. */
export function wasAnyLate(context: CauseContext, ms: number): boolean {
  return [...targetsOf(context).values()].some(({ tests: [test], pushes }) => {
    if (!test?.exchange || !succeeded(test.exchange)) return false;
    const first = pushes.find(({ order }) => order > test.order);
    return (first?.arrived.from ?? context.clock.now()) - test.at > ms;
  });
}

/** Makes a remark on each greeting of the run. */
export function remarkGreetings(context: CauseContext & { remarks: Remarks }): void {
  for (const push of context.receiver?.everyPush() ?? [])
    if (kindOf(context, push) === 'greeting') context.remarks.add('greeting', describePush(push));
}

function greetedUntil({ creations: [creation] }: Target): number {
  return (creation.answeredAt ?? creation.at) + greetingMs;
}

/** Targets of the same kind: on the same channel, and as open. What a deployment greets there, if anything, it greets with a secret. */
function others(context: CauseContext, target: Target): Target[] {
  const [{ values }] = target.creations;
  return [...targetsOf(context).values()].filter(({ path, kind, creations: [other] }) => {
    const isLikely = values.secret === undefined || other.values.secret !== undefined;
    return path !== target.path && isLikely && kind === target.kind;
  });
}

/**
 * Whether a push is the greeting that a new target of its kind gets, even if what was caused there came first: the one that looks like
 * the greetings of the kind, or else the first that may be one.
 */
function isGreetingAt(context: CauseContext, push: Push, target: Target): boolean {
  const until = greetedUntil(target);
  if (push.arrived.from >= until || isUnprovoked(context, target)) return false;
  const greetings = greetingsOfKind(context, target);
  if (greetings.length === 0) return false;
  const early = target.pushes.filter(({ arrived }) => arrived.from < until);
  const shapes = new Set(greetings.map(shapeOf));
  // Where greetings name none of the events, what names one is none.
  const isNamed = greetings.some((greeting) => eventNamed(greeting) !== undefined);
  const greeting =
    early.find((one) => shapes.has(shapeOf(one))) ??
    early.find((one) => isNamed || eventNamed(one) === undefined);
  return push === greeting;
}

/** The pushes that came to other targets of the kind before anything was caused; none where any was left alone, for others may use the site. */
function greetingsOfKind(context: CauseContext, target: Target): Push[] {
  if (isKindQuiet(context, target)) return [];
  const greeted = others(context, target).filter((other) => isUnprovoked(context, other));
  return greeted.flatMap(({ pushes: [first] }) => first ?? []);
}

/** The names in a body, which tell a greeting from a test message. */
function shapeOf(push: Push): string {
  const body = bodyOf(push);
  return typeof body === 'object' && body !== null ? Object.keys(body).sort().join() : typeof body;
}

/**
 * Whether the first push to a target came before anything was tested there, or done on any site since; what an earlier cause has brought
 * late, other targets have got as well.
 */
function isUnprovoked(context: CauseContext, { creations: [creation], tests, pushes }: Target): boolean {
  const [first] = pushes;
  if (!first || isAfterAny(first, tests)) return false;
  const isCaused = context.requests.some(
    (request) => request.order > creation.order && request.order < first.order && isEventful(request),
  );
  return !isCaused && !isEventOfOthers(context, first);
}

/** Pushes to targets that are new themselves are left out: they may be greetings, and all alike. */
function isEventOfOthers(context: CauseContext, push: Push): boolean {
  const all = [...targetsOf(context).values()].filter(({ path }) => path !== push.path);
  return all.some((target) =>
    target.pushes
      .filter((other) => saysTheSame(other, push) && other.arrived.from >= greetedUntil(target))
      .some((other) => isAfterAny(other, target.events)),
  );
}

/** Whether another target of the kind was left alone for long enough, and no push came. */
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

/** Nobody sees what comes to an address of nobody, or to one that is closed at first. */
function isListening({ receiver }: CauseContext, { path, creations: [{ values }] }: Target): boolean {
  return receiver !== undefined && String(values.url).startsWith(receiver.urlOf(path));
}

function firstCauseAt({ tests, events }: Pick<Target, 'tests' | 'events'>): number {
  return Math.min(...[...tests, ...events].map(({ at }) => at));
}
