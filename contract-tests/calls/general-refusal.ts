// A refusal that has nothing to do with the call: a quota of all calls, whose code no profile states.
import { codesOf } from '../../openapi/error-codes.ts';
import type { Context } from '../context.ts';
import { areAlike, type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { settle } from '../core/settled.ts';
import { call } from './call.ts';
import { refusalOfInvented, sendInvented } from './live-session.ts';
import { sessionToken } from './user-session.ts';

/** A quota by the second is reached again by so many calls in a row. */
const tries = 12;

/** Such a quota is over after this time. */
const overMs = 1_100;

/**
 * Whether a refusal has nothing to do with the call: an invented token gets the same one by now, and got another one at the beginning of
 * the run; or a plain call is refused in the same way, and is accepted before or a little later.
 */
export async function isRefusedInGeneral(context: Context, refusal: Exchange): Promise<boolean> {
  return (await isSameForInvented(context, refusal)) || isSameForPlain(context, refusal);
}

async function isSameForInvented(context: Context, refusal: Exchange): Promise<boolean> {
  const early = await settle(() => refusalOfInvented(context));
  if (early.error || areAlike(refusal, early.value())) return false;
  const late = await settle(() => sendInvented(context));
  return !late.error && areAlike(refusal, late.value());
}

/** Not where the code is one that the profile states, for the deployment means something else by it. */
async function isSameForPlain(context: Context, refusal: Exchange): Promise<boolean> {
  if (isKnown(context, refusal) || !context.operations.has('listSites')) return false;
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

function isKnown({ profile }: Context, refusal: Exchange): boolean {
  const { code } = envelopeOf(refusal);
  if (code === undefined || refusal.response.status === 401) return true;
  return codesOf(profile).some(([, known]) => code === known);
}
