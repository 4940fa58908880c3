// Publishing the site under test. Publishes are few (10 a minute), so a run makes them once for all checks.
import { type Context, once } from './context.ts';
import type { Exchange } from './exchange.ts';
import { callToEnd, uniqueText } from './own-calls.ts';
import { type Repetition, repeatWrite } from './repetitions.ts';

/** A publish, the same again at once, and another one. */
export function publication(context: Context): Promise<Repetition> {
  return once(context, 'publication', () => repeatWrite(context, 'publishSite'));
}

/** A publish that fails. */
export function failedPublication(context: Context): Promise<Exchange> {
  return callToEnd(context, 'failPublish', { values: { note: uniqueText(context, 'failing publish') } });
}
