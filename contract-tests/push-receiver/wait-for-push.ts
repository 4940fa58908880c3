// Waits for pushes, also for those that should not come.
import type { SuiteOptions } from '../core/suite-options.ts';
import type { Clock } from '../deployment/deployment-clock.ts';
import type { Push, Receiver } from './push-receiver.ts';

/** What waiting for pushes needs. */
interface PushWaitContext {
  options: Pick<SuiteOptions, 'arrivalMs'>;
  clock: Clock;
  receiver: Receiver | undefined;
}

/** How long a push may take to arrive, in milliseconds. */
export function arrivalMs({ options }: Pick<PushWaitContext, 'options'>): number {
  return options.arrivalMs ?? 10_000;
}

/** How long to watch for a push that should not come, in milliseconds. */
export const silenceMs = 3_000;

/** Waits until `hasCome` is true, `ms` at most; returns whether it is. */
export async function comesWithin(
  { clock }: Pick<PushWaitContext, 'clock'>,
  hasCome: () => boolean,
  ms: number,
): Promise<boolean> {
  await clock.settle();
  const until = clock.now() + ms;
  const stepMs = clock.isMoved ? 1_000 : 20;
  while (!hasCome() && clock.now() < until) await clock.pass(stepMs, 'a push');
  return hasCome();
}

/** The push to a path that follows the first `after`, or undefined when none has come within `ms`. */
export async function arrivalAt(
  context: PushWaitContext,
  path: string,
  { after = 0, ms = arrivalMs(context) } = {},
): Promise<Push | undefined> {
  const next = () => context.receiver?.pushesTo(path)[after];
  await comesWithin(context, () => next() !== undefined, ms);
  return next();
}

/** "not seen in N s", to report a push that did not come. */
export function notSeen(ms: number): string {
  return `not seen in ${ms / 1_000} s`;
}
