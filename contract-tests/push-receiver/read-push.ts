// Reads the content of a push, once for all checks, and observes the gaps that it shows.
import { eventNames } from '../../openapi/event-names.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import { isObject } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import { placeholdersOf } from '../../openapi/template.ts';
import { parseExactly, parseJson } from '../core/parse-json.ts';
import type { Observations } from '../deployment/gap-observations.ts';
import type { Push } from './push-receiver.ts';

/** Many checks read the same push. */
const parsedBodies = new WeakMap<Buffer, { json: unknown }>();
const exactBodies = new WeakMap<Buffer, { json: unknown }>();

/** The body of a push as JSON, not to be changed; undefined where it is no JSON. */
export function bodyOf({ body }: Push): unknown {
  const { json } = parsedBodies.get(body) ?? { json: parseJson(body.toString('utf8')) };
  parsedBodies.set(body, { json });
  return json;
}

/** The same, with integers above 2^53 as bigint instead of rounded. */
export function exactBodyOf({ body }: Push): unknown {
  const { json } = exactBodies.get(body) ?? { json: parseExactly(body.toString('utf8')) };
  exactBodies.set(body, { json });
  return json;
}

/** A header of a push, or undefined. Node joins repeated ones with a comma. */
export function headerOf({ headers }: Push, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The event that a push names, in its body or else in its header; undefined where it is none of the seven. */
export function eventNamed(push: Push): EventName | undefined {
  const body = Object(bodyOf(push)) as { event?: unknown };
  const header = headerOf(push, 'X-Webhook-Event');
  return eventNames.find((name) => name === body.event) ?? eventNames.find((name) => name === header);
}

/** The site that a push on the channel custom is about; a bigint where a number would round it. */
export function siteIdOf(push: Push): unknown {
  return (Object(exactBodyOf(push)) as { site_id?: unknown }).site_id;
}

/** The version in a push about a publish; a bigint where a number would round it. */
export function versionOf(push: Push): unknown {
  const { data } = Object(exactBodyOf(push)) as { data?: unknown };
  return (Object(data) as { version?: unknown }).version;
}

/** A push in one line, for reports. */
export function describePush(push: Push): string {
  const headers = ['content-type', 'x-webhook-event', 'x-webhook-timestamp', 'x-webhook-signature']
    .filter((name) => headerOf(push, name) !== undefined)
    .map((name) => `${name}: ${headerOf(push, name)}`);
  const text = push.body.toString('utf8');
  return `${headers.join(', ')} ${text.length > 400 ? `${text.slice(0, 400)}…` : text}`;
}

/**
 * The body of a push on the custom channel, where it is that of an event. The document does not show the body of a test push: one with
 * none of the seven names is only observed, and undefined is returned.
 */
export function eventBodyOf(
  context: TestPushContext,
  push: Push & { about: 'event' | 'test' },
): EventBody | undefined {
  const body = bodyOf(push);
  if (push.about === 'event') return isObject(body) ? body : {};
  observeTestPush(context, push, body);
  return isObject(body) && (isEventName(body.event) || isNamedByHeader(push, body)) ? body : undefined;
}

type EventBody = Record<string, unknown>;

const fields = ['event', 'timestamp', 'site_id', 'site_name', 'data'];

/** Whether a body is that of an event but for its name, which the header has. */
export function isNamedByHeader(push: Push, body: unknown): boolean {
  const others = fields.filter((field) => field !== 'event');
  return (
    isObject(body) && isEventName(headerOf(push, 'X-Webhook-Event')) && others.every((field) => field in body)
  );
}

function isEventName(value: unknown): boolean {
  return eventNames.some((name) => name === value);
}

/** What observing a test push needs. */
interface TestPushContext {
  observations: Observations;
  profile: Profile;
}

function observeTestPush({ observations, profile }: TestPushContext, push: Push, body: unknown): void {
  const isEvent = isObject(body) && fields.every((field) => field in body);
  observations.compare('hook-test.body', isEvent ? 'event' : 'other');
  const named = isEvent ? body.event : headerOf(push, 'X-Webhook-Event');
  // Where the call chooses the event, the push does not show which event is named otherwise.
  const isChosen = placeholdersOf(profile.values['hook-test.request']).includes('event');
  if (named === undefined || isChosen) return;
  const expected = profile.values['hook-test.event'];
  const isFirst =
    (expected === 'subscribed' && named === firstChosenEvent) ||
    (expected === firstOfDocument && (named === firstChosenEvent || named === eventNames[0]));
  if (named === expected || isFirst) observations.agrees('hook-test.event', named);
  else observations.drifts('hook-test.event', named);
}

/** The value of hook-test.event of deployments that keep the chosen events in the document's order. */
export const firstOfDocument = 'subscribed-in-document-order';

/** The event that is the first choice of every subscription whose test push a run reads. */
export const firstChosenEvent = 'form.submit';
