// Publishes of deployments that take one at a time, or that make no new version of a site without changes.
import type { OperationId } from '../../openapi/operations.ts';
import { isRateLimited } from '../calls/expect-answer.ts';
import { callProfileOperation, uniqueText } from '../calls/profile-calls.ts';
import type { Context } from '../context.ts';
import { windowMs } from '../core/documented-limits.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { settle } from '../core/settled.ts';
import { resultOf } from './write-results.ts';

/** After how long a publish that was refused is sent again, in milliseconds: the first may still be under way. */
const shortPauseMs = 6_000;
const longPauseMs = 30_000;

const publishes: readonly OperationId[] = ['publishSite', 'failPublish'];

/** Sends a publish, and again later where it is refused while one of the last minute may still be under way. */
export async function sendSpaced(context: Context, send: () => Promise<Exchange>): Promise<Exchange> {
  const mayBeUnderWay = wasPublished(context);
  const first = await send();
  let last = first;
  // One that is to fail may be refused for just that.
  const pausesMs = first.operation === 'failPublish' ? [shortPauseMs] : [shortPauseMs, longPauseMs];
  for (const ms of mayBeUnderWay ? pausesMs : []) {
    if (succeeded(last) || isRateLimited(context, last)) break;
    await context.clock.pass(ms, 'the end of a publish that is under way');
    last = await send();
  }
  return last;
}

function wasPublished({ clock, exchanges }: Context): boolean {
  const since = clock.now() - windowMs;
  return exchanges.some(
    (exchange) => publishes.includes(exchange.operation) && exchange.at > since && succeeded(exchange),
  );
}

/** Adds content to a site, that under test unless stated, so that there is something new to publish; false where that is not possible. */
export async function changeContent(context: Context, siteID: unknown = context.siteId): Promise<boolean> {
  if (!context.operations.has('createContent')) return false;
  const values = { siteID, title: uniqueText(context, 'title'), text: 'Something new to publish.' };
  const created = await settle(() => callProfileOperation(context, 'createContent', { values }));
  return !created.error && succeeded(created.value());
}

/** The same where the deployment makes no new version of a site without changes, as far as the run knows. */
export async function changeContentIfNeeded(
  context: Context,
  siteID: unknown = context.siteId,
): Promise<void> {
  if (keepsVersions(context)) await changeContent(context, siteID);
}

/** Whether the profile says so, or two different publishes had the same version. */
function keepsVersions({ exchanges, profile }: Context): boolean {
  if (profile.values['publish.unchanged'] === 'same-version') return true;
  const bodies = new Map<string, string | undefined>();
  for (const exchange of exchanges) {
    const result = resultOf(exchange);
    if (exchange.operation !== 'publishSite' || result === undefined || !succeeded(exchange)) continue;
    const { body } = exchange.request;
    if (bodies.has(String(result)) && bodies.get(String(result)) !== body) return true;
    bodies.set(String(result), body);
  }
  return false;
}
