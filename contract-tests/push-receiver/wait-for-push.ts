// Waits for pushes, also for those that should not come.
import type { Exchange } from '../core/exchange.ts';
import { NotSeenYet, NotVerified, PromiseBroken } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import type { Clock } from '../deployment/deployment-clock.ts';
import type { Remarks } from '../deployment/remarks.ts';
import type { Push, Receiver } from './push-receiver.ts';

/** What waiting for pushes needs. */
interface PushWaitContext {
  options: Pick<SuiteOptions, 'arrivalMs' | 'patienceMs'>;
  clock: Clock;
  receiver: Receiver | undefined;
}

/** How long the run waits for a push before it goes on, in milliseconds. */
export function arrivalMs({ options }: Pick<PushWaitContext, 'options'>): number {
  return options.arrivalMs ?? 10_000;
}

/** How long after its cause a push is missing, in milliseconds. */
export function patienceMs({ options }: Pick<PushWaitContext, 'options'>): number {
  return Math.max(options.patienceMs ?? 60_000, arrivalMs({ options }));
}

/** How long to watch for a push that should not come, in milliseconds. */
export const silenceMs = 3_000;

/** Waits until `hasCome` is true, `ms` at most; returns whether it is. */
export async function comesWithin(
  { clock }: Pick<PushWaitContext, 'clock'>,
  hasCome: () => boolean,
  ms: number,
): Promise<boolean> {
  if (hasCome()) return true;
  await clock.settle();
  const until = clock.now() + ms;
  const stepMs = clock.isMoved ? 1_000 : 20;
  while (!hasCome() && clock.now() < until) await clock.pass(stepMs, 'a push');
  return hasCome();
}

/** "not seen in N s", to report a push that did not come. */
function notSeen(ms: number): string {
  return `not seen in ${Math.round(ms / 1_000)} s`;
}

/** What waiting for a push that must come needs. */
interface RequiredPushContext extends PushWaitContext {
  remarks: Remarks;
  isLastLook: boolean;
}

/** A push that must come: how to find it, when its cause was sent (in milliseconds since 1970, by the deployment's clock), and what is expected. */
export interface ExpectedPush {
  find(): Push | undefined;
  since: number;
  expected: string;
  exchange?: Exchange;
}

/**
 * Returns the push as soon as it has come; one that comes after --arrival-timeout gets the remark `late`. Throws NotSeenYet where it
 * may come before the run ends, and PromiseBroken where it has not come within the patience of a run.
 */
export async function requireArrival(context: RequiredPushContext, push: ExpectedPush): Promise<Push> {
  const { find, since, expected, exchange } = push;
  const { clock } = context;
  const soon = since + arrivalMs(context) - clock.now();
  const isWaitedFor = clock.isMoved || context.isLastLook;
  await comesWithin(context, () => find() !== undefined, Math.max(soon, 0));
  if (!find() && !isWaitedFor) throw new NotSeenYet(expected, since);
  await comesWithin(context, () => find() !== undefined, since + patienceMs(context) - clock.now());
  const found = find();
  if (!found && context.receiver?.hasRefused())
    throw new NotVerified(
      `a push was too long for the suite's receiver, and it may have been this one: ${expected}`,
    );
  if (!found) throw new PromiseBroken(expected, notSeen(clock.now() - since), exchange);
  const tookMs = found.arrived.from - since;
  if (tookMs > arrivalMs(context))
    context.remarks.add('late', `${expected} came after ${(tookMs / 1_000).toFixed(1)} s`);
  return found;
}

/** The same where another check fails what is missing: undefined once it can no longer come. */
export async function arrivalIfAny(
  context: RequiredPushContext,
  push: ExpectedPush,
): Promise<Push | undefined> {
  try {
    return await requireArrival(context, push);
  } catch (error) {
    if (error instanceof PromiseBroken) return undefined;
    throw error;
  }
}
