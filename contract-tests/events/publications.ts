// Publishing the site under test. Publishes are few (10 a minute), so a run makes them once for all checks.

import { callToEnd, uniqueText } from '../calls/profile-calls.ts';
import { type Context, once } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { newWrite, type Repetition, repeatWrite, resultOf } from './repeated-writes.ts';

/** A publish, the same again at once, and another one. */
export function publication(context: Context): Promise<Repetition> {
  return once(context, repeatWrite, 'publishSite');
}

/** A publish after those, which is no repetition of any. Throws NotVerified where it was taken for one. */
export async function laterPublication(context: Context): Promise<Exchange> {
  const later = await callToEnd(context, 'publishSite', newWrite(context));
  const { first } = await publication(context);
  if (resultOf(later) !== undefined && resultOf(later) === resultOf(first))
    throw new NotVerified('a different publish was taken for a repetition of the first; see IDEM-5');
  return later;
}

/** A publish that fails. */
export function failedPublication(context: Context): Promise<Exchange> {
  return callToEnd(context, 'failPublish', { values: { note: uniqueText(context, 'failing publish') } });
}
