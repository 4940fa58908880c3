// Publishes of the site under test. They are limited (10 a minute), so all checks share those of one run.
import { callProfileOperation, refusedCall, uniqueText } from '../calls/profile-calls.ts';
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { callerOf, type Round } from './call-as.ts';
import { newWrite, repetitionOf } from './repeated-writes.ts';
import { changeContentIfNeeded, sendSpaced } from './spaced-publishes.ts';
import { resultOf } from './write-results.ts';

/** A further publish, different from those. Throws NotVerified where the deployment treated it as a repetition. */
export async function laterPublication(context: Context, round?: Round): Promise<Exchange> {
  await changeContentIfNeeded(context);
  const later = await publishToEnd(context, round, newWrite(context), 'publishSite');
  const { first } = await repetitionOf(context, 'publishSite');
  if (resultOf(later) !== undefined && resultOf(later) === resultOf(first))
    throw new NotVerified(
      'a different publish was treated as a repetition of the first, or as that of an unchanged site; see IDEM-5',
    );
  return later;
}

/** A publish that fails. */
export function failedPublication(context: Context, round?: Round): Promise<Exchange> {
  const values = { note: uniqueText(context, 'failing publish') };
  return publishToEnd(context, round, { values }, 'failPublish');
}

/** Where the caller of the round is refused, the user of the session publishes. */
async function publishToEnd(
  context: Context,
  round: Round | undefined,
  options: Parameters<typeof callProfileOperation>[2],
  id: 'publishSite' | 'failPublish',
): Promise<Exchange> {
  const send = (by: { token?: string }) =>
    sendSpaced(context, () => callProfileOperation(context, id, { ...options, ...by }));
  const caller = callerOf(context, id, round);
  const first = await send(caller);
  const exchange = succeeded(first) || !('token' in caller) ? first : await send({});
  if (succeeded(exchange)) return exchange;
  throw refusedCall(context, exchange);
}
