// Nothing is judged on one look where a later one could differ: deployments keep copies, which learn of a change a little later.
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { isOnlyRateLimited } from './expect-answer.ts';

/** How long a change may take to reach every part of a deployment, in milliseconds: first for a moment, at last with caches. */
const shortMs = 2_000;
const longMs = 60_000;
/** After so long nothing is looked at again. */
export const settledMs = shortMs + longMs;

/** Sends a call that should be accepted, and once more a little later where it is refused. Returns the last exchange. */
export async function untilAccepted(context: Context, send: () => Promise<Exchange>): Promise<Exchange> {
  const first = await send();
  if (succeeded(first) || isOnlyRateLimited(context, first)) return first;
  await context.clock.pass(shortMs, 'something new to take effect everywhere');
  return send();
}

/** Sends a call that should be refused, and again a little later, and at last after a minute, where it is accepted. Returns the last exchange. */
export async function untilRefused(context: Context, send: () => Promise<Exchange>): Promise<Exchange> {
  const first = await send();
  if (!succeeded(first)) return first;
  await context.clock.pass(shortMs, 'a change to take effect');
  const second = await send();
  if (!succeeded(second)) return second;
  await context.clock.pass(longMs, 'a change to take effect in every cache');
  const third = await send();
  if (!succeeded(third))
    context.remarks.add('ended-later', `${second.operation} was still accepted after ${shortMs / 1_000} s`);
  return third;
}
