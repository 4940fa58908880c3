// Publishes of the site under test. They are limited (10 a minute), so all checks share those of one run.
import { uniqueText } from '../calls/profile-calls.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { callAs, type Round } from './call-as.ts';
import { newWrite, repetitionOf, resultOf } from './repeated-writes.ts';

/** A further publish, different from those. Throws NotVerified where the deployment treated it as a repetition. */
export async function laterPublication(context: Context, round?: Round): Promise<Exchange> {
  const later = await callAs(context, { id: 'publishSite', round }, newWrite(context));
  const { first } = await repetitionOf(context, 'publishSite');
  if (resultOf(later) !== undefined && resultOf(later) === resultOf(first))
    throw new NotVerified('a different publish was treated as a repetition of the first; see IDEM-5');
  return later;
}

/** A publish that fails. */
export function failedPublication(context: Context, round?: Round): Promise<Exchange> {
  const values = { note: uniqueText(context, 'failing publish') };
  return callAs(context, { id: 'failPublish', round }, { values });
}
