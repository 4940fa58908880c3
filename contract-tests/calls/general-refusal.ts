// A refusal that has nothing to do with the call: a quota of all calls, whose code no profile states.
import { codesOf } from '../../openapi/error-codes.ts';
import type { Context } from '../context.ts';
import { type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { call } from './call.ts';
import { sessionToken } from './user-session.ts';

/** A quota by the second is reached again by so many calls in a row. */
const tries = 12;

/** Such a quota is over after this time. */
const overMs = 1_100;

/**
 * Whether a plain call is refused in the same way now, and accepted before or a little later. Not where the code is one that the profile
 * states, for the deployment means something else by it.
 */
export async function isRefusedInGeneral(context: Context, refusal: Exchange): Promise<boolean> {
  if (succeeded(refusal) || isKnown(context, refusal) || !context.operations.has('listSites')) return false;
  const hasWorked = context.exchanges.some((one) => one.operation === 'listSites' && succeeded(one));
  const token = await sessionToken(context);
  const send = () => call(context, 'listSites', { token });
  for (let count = 0; count < tries; count++) {
    if (!areAlike(await send(), refusal)) continue;
    if (hasWorked) return true;
    await context.clock.pass(overMs, 'a quota of all calls to be over');
    return succeeded(await send());
  }
  return false;
}

function areAlike(one: Exchange, other: Exchange): boolean {
  return one.response.status === other.response.status && envelopeOf(one).code === envelopeOf(other).code;
}

function isKnown({ profile }: Context, refusal: Exchange): boolean {
  const { code } = envelopeOf(refusal);
  if (code === undefined || refusal.response.status === 401) return true;
  return codesOf(profile).some(([, known]) => code === known);
}
