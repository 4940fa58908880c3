// Publishes of the site under test. They are limited (10 a minute), so all checks share those of one run.
import { callToEnd, uniqueText } from '../calls/profile-calls.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { newWrite, repetitionOf, resultOf } from './repeated-writes.ts';

/** A further publish, different from those. Throws NotVerified where the deployment treated it as a repetition. */
export async function laterPublication(context: Context): Promise<Exchange> {
  const later = await callToEnd(context, 'publishSite', newWrite(context));
  const { first } = await repetitionOf(context, 'publishSite');
  if (resultOf(later) !== undefined && resultOf(later) === resultOf(first))
    throw new NotVerified('a different publish was treated as a repetition of the first; see IDEM-5');
  return later;
}

/** A publish that fails. */
export function failedPublication(context: Context): Promise<Exchange> {
  return callToEnd(context, 'failPublish', { values: { note: uniqueText(context, 'failing publish') } });
}
