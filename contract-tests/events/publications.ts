// Publishes of the site under test. They are limited (10 a minute), so all checks share those of one run.
import { callProfileOperation, refusedCall, uniqueText } from '../calls/profile-calls.ts';
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { type Round, sendAs } from './call-as.ts';
import { newWrite, repetitionOf } from './repeated-writes.ts';
import { changeContentIfNeeded, sendSpaced } from './spaced-publishes.ts';
import { resultOf } from './write-results.ts';

/** A further publish, different from those. Throws NotVerified where the deployment treated it as a repetition. */
export async function laterPublication(context: Context, round?: Round): Promise<Exchange> {
  await changeContentIfNeeded(context);
  const later = await publishToEnd(context, { id: 'publishSite', round }, newWrite(context));
  const { first } = await repetitionOf(context, 'publishSite');
  if (resultOf(later) !== undefined && resultOf(later) === resultOf(first))
    throw new NotVerified(
      'the deployment treated a different publish as a repetition of the first, or as a publish of an unchanged site; see IDEM-5',
    );
  return later;
}

/** A publish of which no other one of the run knows. */
export function separatePublication(context: Context): Promise<Exchange> {
  return publishToEnd(context, { id: 'publishSite', round: undefined }, newWrite(context));
}

/** A publish that fails. */
export function failedPublication(context: Context, round?: Round): Promise<Exchange> {
  const values = { note: uniqueText(context, 'failing publish') };
  return publishToEnd(context, { id: 'failPublish', round }, { values });
}

async function publishToEnd(
  context: Context,
  call: Parameters<typeof sendAs>[1],
  options: Parameters<typeof callProfileOperation>[2],
): Promise<Exchange> {
  const send = (by: object) => callProfileOperation(context, call.id, { ...options, ...by });
  const exchange = await sendSpaced(context, () => sendAs(context, call, send));
  if (succeeded(exchange)) return exchange;
  throw refusedCall(context, exchange);
}
