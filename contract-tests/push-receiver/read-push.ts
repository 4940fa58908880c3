import { eventNames } from '../../openapi/event-names.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import { isObject } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import { placeholdersOf } from '../../openapi/template.ts';
import { parseExactly, parseJson } from '../core/parse-json.ts';
import type { Observations } from '../deployment/gap-observations.ts';
import type { Push } from './push-receiver.ts';

/** Cached, because many checks read the same push. */
const parsedBodies = new WeakMap<Buffer, { json: unknown }>();
const exactBodies = new WeakMap<Buffer, { json: unknown }>();

/** The JSON body, shared and read-only. Undefined if it is not JSON. */
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

/** Node joins repeated headers with a comma. */
export function headerOf({ headers }: Push, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The event named in the body, otherwise in the header. Undefined if it is none of the seven. */
export function eventNamed(push: Push): EventName | undefined {
  const body = Object(bodyOf(push)) as { event?: unknown };
  const header = headerOf(push, 'X-Webhook-Event');
  return eventNames.find((name) => name === body.event) ?? eventNames.find((name) => name === header);
}

/** The site of a push on the custom channel; a bigint if a number would round it. */
export function siteIdOf(push: Push): unknown {
  return (Object(exactBodyOf(push)) as { site_id?: unknown }).site_id;
}

/** The version in a publish push; a bigint if a number would round it. */
export function versionOf(push: Push): unknown {
  const { data } = Object(exactBodyOf(push)) as { data?: unknown };
  return (Object(data) as { version?: unknown }).version;
}

export function describePush(push: Push): string {
  const headers = ['content-type', 'x-webhook-event', 'x-webhook-timestamp', 'x-webhook-signature']
    .filter((name) => headerOf(push, name) !== undefined)
    .map((name) => `${name}: ${headerOf(push, name)}`);
  const text = push.body.toString('utf8');
  return `${headers.join(', ')} ${text.length > 400 ? `${text.slice(0, 400)}…` : text}`;
}

/**
 * The body of an event push on the custom channel. The interface document does not show test pushes, so one that names none of the seven
 * events is only observed, and the function returns undefined.
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

/** Whether a body has all members of an event except its name, which is in the header. */
export function isNamedByHeader(push: Push, body: unknown): boolean {
  const others = fields.filter((field) => field !== 'event');
  return (
    isObject(body) && isEventName(headerOf(push, 'X-Webhook-Event')) && others.every((field) => field in body)
  );
}

function isEventName(value: unknown): boolean {
  return eventNames.some((name) => name === value);
}

interface TestPushContext {
  observations: Observations;
  profile: Profile;
}

function observeTestPush({ observations, profile }: TestPushContext, push: Push, body: unknown): void {
  const isEvent = isObject(body) && fields.every((field) => field in body);
  observations.compare('hook-test.body', isEvent ? 'event' : 'other');
  const named = isEvent ? body.event : headerOf(push, 'X-Webhook-Event');
  // If the call chooses the event, the push does not show the deployment's own choice.
  const isChosen = placeholdersOf(profile.values['hook-test.request']).includes('event');
  if (named === undefined || isChosen) return;
  const expected = profile.values['hook-test.event'];
  const isFirst =
    (expected === 'subscribed' && named === firstChosenEvent) ||
    (expected === firstOfDocument && (named === firstChosenEvent || named === eventNames[0]));
  if (named === expected || isFirst) observations.agrees('hook-test.event', named);
  else observations.drifts('hook-test.event', named);
}

/** The value of hook-test.event for deployments that sort the chosen events in the order of the interface document. */
export const firstOfDocument = 'subscribed-in-document-order';

/** Every subscription whose test push the run reads lists this event first. */
export const firstChosenEvent = 'form.submit';
