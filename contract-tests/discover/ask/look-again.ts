// What is new may not be known everywhere yet: calls that should be accepted are made once more.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import type { Probe } from '../probe.ts';

/** How long what is new may take to be known everywhere, in milliseconds. */
const newMs = 2_000;

export function waitForNew({ clock }: Probe): Promise<void> {
  return clock.pass(newMs, 'something new to be known everywhere');
}

/** Makes a call that should be accepted, and once more a little later where it is refused. */
export function untilAccepted(probe: Probe, send: () => Promise<Exchange>): Promise<Exchange> {
  return untilTaken(probe, send, succeeded);
}

/** The same for a call of which more than its exchange is known. */
export async function untilTaken<T>(
  probe: Probe,
  call: () => Promise<T>,
  isTaken: (result: T) => boolean,
): Promise<T> {
  const first = await call();
  if (isTaken(first)) return first;
  const second = await later(probe, async () => {
    const again = await call();
    return isTaken(again) ? again : undefined;
  });
  return second ?? first;
}

/** Does something a little later; where it succeeds then, later steps give what is new the same time. */
export async function later<T>(probe: Probe, again: () => Promise<T | undefined>): Promise<T | undefined> {
  await waitForNew(probe);
  const result = await again();
  if (result !== undefined) probe.seen.settlesLate = true;
  return result;
}
