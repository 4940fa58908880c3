// Waiting for pushes, and for pushes that should not come.
import type { SuiteOptions } from '../core/suite-options.ts';
import type { Clock } from '../deployment/deployment-clock.ts';
import type { Push, Receiver } from './push-receiver.ts';

/** Whose pushes are waited for, and by which clock. */
export interface PushWaitContext {
  options: Pick<SuiteOptions, 'arrivalMs'>;
  clock: Clock;
  receiver: Receiver | undefined;
}

/** How long a push may take to arrive, in milliseconds. */
export function arrivalMs({ options }: Pick<PushWaitContext, 'options'>): number {
  return options.arrivalMs ?? 10_000;
}

/** For how long a push that should not come is looked out for, in milliseconds. */
export const silenceMs = 3_000;

/** Waits until something is there, `ms` at most; says whether it is. */
export async function isThere(
  { clock }: Pick<PushWaitContext, 'clock'>,
  look: () => boolean,
  ms: number,
): Promise<boolean> {
  await clock.settle();
  const until = clock.now() + ms;
  const stepMs = clock.isMoved ? 1_000 : 20;
  while (!look() && clock.now() < until) await clock.pass(stepMs, 'a push');
  return look();
}

/** The first push to a path, or undefined when none has come within `ms`. */
export async function arrivalAt(
  context: PushWaitContext,
  path: string,
  ms: number,
): Promise<Push | undefined> {
  const come = () => context.receiver?.pushesTo(path)[0];
  return (await isThere(context, () => come() !== undefined, ms)) ? come() : undefined;
}

/** The push to a path that comes next after so many, or undefined when none has come in time. */
export async function arrivalAfter(
  context: PushWaitContext,
  path: string,
  count: number,
): Promise<Push | undefined> {
  const come = () => context.receiver?.pushesTo(path)[count];
  return (await isThere(context, () => come() !== undefined, arrivalMs(context))) ? come() : undefined;
}

/** "not seen in N s": how a push that did not come is reported. */
export function notSeen(ms: number): string {
  return `not seen in ${ms / 1_000} s`;
}
