// What a run leaves behind where subscriptions can't be deleted: then checks share subscriptions, and there is a most.
import type { Context } from '../context.ts';
import { NotVerified, PromiseBroken } from '../core/outcomes.ts';
import type { Tier } from '../core/suite-options.ts';
import { canMakeRoom } from './room.ts';

/** One more subscription would stay for good. */
class WouldStay extends NotVerified {}

/** How many subscriptions of a run may stay. */
export const mostLeftBehind: Readonly<Record<Tier, number>> = { smoke: 0, safe: 12, full: 60 };

/** Whether what a run subscribes stays for good, so that checks share it. */
export function staysBehind(context: Context): boolean {
  return !canMakeRoom(context);
}

/** Whether even events share a subscription: in the tier `safe`. */
export function isSparing(context: Context): boolean {
  return staysBehind(context) && context.options.tier !== 'full';
}

/** Throws WouldStay where the run has created as many subscriptions as may stay. */
export function requireFew(context: Context): void {
  const { options, resources } = context;
  const most = mostLeftBehind[options.tier];
  if (!staysBehind(context) || countOf(resources) < most) return;
  const more = options.tier === 'full' ? '' : ', or run with --suite full';
  throw new WouldStay(
    `needs one more subscription, which would remain: --suite ${options.tier} creates at most ${most} that it cannot delete; state operation.delete-subscription in the profile${more}`,
  );
}

const mistaken = new WeakMap<Context['resources'], Set<string>>();

/** Tries a creation that a requirement forbids. Where what is accepted by mistake stays, the first mistake of a run is the last. */
export async function tryMistake(
  context: Context,
  requirement: string,
  work: () => Promise<void>,
): Promise<void> {
  const known = mistaken.get(context.resources) ?? new Set();
  mistaken.set(context.resources, known);
  if (staysBehind(context) && known.has(requirement))
    throw new NotVerified(
      'another wrong subscription was already accepted, and one more would remain; state operation.delete-subscription in the profile',
    );
  try {
    await work();
  } catch (error) {
    if (error instanceof PromiseBroken) known.add(requirement);
    throw error;
  }
}

function countOf(resources: Context['resources']): number {
  return resources.remaining().filter(({ what }) => what === 'subscription').length;
}
