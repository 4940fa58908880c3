import type { Exchange } from '../core/exchange.ts';
import { NotSeenYet, NotVerified, PromiseBroken } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import type { Clock } from '../deployment/deployment-clock.ts';
import type { Remarks } from '../deployment/remarks.ts';
import type { Push, Receiver } from './push-receiver.ts';

interface PushWaitContext {
  options: Pick<SuiteOptions, 'arrivalMs' | 'patienceMs'>;
  clock: Clock;
  receiver: Receiver | undefined;
}

/** The run waits this long for a push before it continues with other checks, in milliseconds. */
export function arrivalMs({ options }: Pick<PushWaitContext, 'options'>): number {
  return options.arrivalMs ?? 10_000;
}

/** A push counts as missing after this time, in milliseconds. */
export function patienceMs({ options }: Pick<PushWaitContext, 'options'>): number {
  return Math.max(options.patienceMs ?? 60_000, arrivalMs({ options }));
}

/** The run watches this long for a push that should not arrive, in milliseconds. */
export const silenceMs = 3_000;

/** Waits at most `ms` milliseconds until `hasCome` is true; returns whether it is. */
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

/** Waits until all are true, or until none has become true for `ms` milliseconds. */
export async function allComeWithin(
  context: Pick<PushWaitContext, 'clock'>,
  all: readonly (() => boolean)[],
  ms: number,
): Promise<void> {
  const countCome = () => all.filter((hasCome) => hasCome()).length;
  let before = -1;
  while (countCome() < all.length && countCome() > before) {
    before = countCome();
    await comesWithin(context, () => countCome() > before, ms);
  }
}

function notSeen(ms: number): string {
  return `no such push within ${Math.round(ms / 1_000)} s`;
}

interface RequiredPushContext extends PushWaitContext {
  remarks: Remarks;
  isLastLook: boolean;
}

/** A push that must arrive. `since`: when its cause was sent, in milliseconds since 1970 by the deployment's clock. */
export interface ExpectedPush {
  find(): Push | undefined;
  since: number;
  expected: string;
  exchange?: Exchange;
}

/**
 * Returns the push when it arrives; after --arrival-timeout with the remark `late`. Throws NotSeenYet if it may still arrive before the run
 * ends, and PromiseBroken if it is missing.
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
      `the suite's receiver refused a push that was too long, possibly this one: ${expected}`,
    );
  if (!found) throw new PromiseBroken(expected, notSeen(clock.now() - since), exchange);
  const tookMs = found.arrived.from - since;
  if (tookMs > arrivalMs(context))
    context.remarks.add('late', `${expected} arrived after ${(tookMs / 1_000).toFixed(1)} s`);
  return found;
}

/** The same, but returns undefined for a missing push, because another check reports that. */
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
