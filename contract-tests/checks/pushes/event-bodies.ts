import { eventNames } from '../../../openapi/event-names.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { isSameId, writeJson } from '../../core/parse-json.ts';
import { settle } from '../../core/settled.ts';
import { readIsoDateTime } from '../../push-receiver/iso-date-time.ts';
import { contentTypeOf, styleOf } from '../../push-receiver/push-format.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { isTimeOf } from '../../push-receiver/push-times.ts';
import { describePush, eventBodyOf, siteIdOf } from '../../push-receiver/read-push.ts';
import { pushesOn, type SeenPush } from './seen-pushes.ts';
import { requireSiteName } from './site-names.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];

/** The body of a push on the custom channel, checked on every push of the run that names one of the seven events. */
export const eventBodies: readonly Check[] = [
  bodyCheck('event-1-body', 'EVENT-1', async (context, { push, body }) => {
    observeForm(context, push);
    await requireBody(context, push, body);
    if (push.about === 'event') observeData(context, body);
  }),
  bodyCheck('event-2-name', 'EVENT-2', (_context, { push, body }) => requireEventName(push, body)),
  bodyCheck('event-3-timestamp', 'EVENT-3', (context, { push, body }) =>
    context.observations.compare('webhook.timestamp-offset', requireTimestamp(context, push, { body })),
  ),
];

type Body = Record<string, unknown>;

interface EventPush {
  push: SeenPush;
  body: Body;
}

function bodyCheck(
  id: string,
  requirement: string,
  checkPush: (context: Context, push: EventPush) => Promise<void> | void,
): Check {
  return {
    id,
    requirement,
    needs,
    run: async (context) => {
      const bodies = await eventBodiesOf(context);
      const events = bodies.filter(({ push }) => push.about === 'event');
      for (const push of events) await checkPush(context, push);
      if (events.length === 0) await requireAny(bodies, (push) => checkPush(context, push));
    },
  };
}

/** What a test message looks like is not shown: one that looks like an event keeps the promise, and any other breaks none. */
async function requireAny(
  tests: readonly EventPush[],
  checkPush: (push: EventPush) => Promise<void> | void,
): Promise<void> {
  for (const test of tests) {
    const { error } = await settle(async () => checkPush(test));
    if (!error) return;
  }
  throw new NotVerified(
    'no event was pushed, and the test messages (their body is a gap) do not have the form of events; state an operation that causes an event',
  );
}

/** EVENT-1, for a first attempt and for a retry. */
export async function requireBody(context: Context, push: SeenPush, body: Body): Promise<void> {
  requireFields(context, push, body);
  if (!isSameId(siteIdOf(push), push.siteID))
    throw new PromiseBroken(
      `the site_id ${push.siteID} of the site that the push is about`,
      describePush(push),
    );
  await requireSiteName(context, push, body.site_name);
}

/** EVENT-2. */
export function requireEventName(push: Push, { event }: Body): void {
  if (typeof event !== 'string') throw new NotVerified('the body has no event string; see EVENT-1');
  if (!eventNames.some((name) => name === event))
    throw new PromiseBroken(`one of ${eventNames.join(', ')} as event`, describePush(push));
}

/** EVENT-3: the form, and the instant, which another offset than the right one makes hours wrong. Returns the UTC offset. */
export function requireTimestamp(
  context: Context,
  push: Push,
  { body: { timestamp }, startedAt }: { body: Body; startedAt?: number },
): string {
  if (typeof timestamp !== 'string') throw new NotVerified('the body has no timestamp string; see EVENT-1');
  const time = readIsoDateTime(timestamp);
  if (!time)
    throw new PromiseBroken(
      'an ISO 8601 date-time with a UTC offset (Z or +hh:mm)',
      `${timestamp}; the push: ${describePush(push)}`,
    );
  if (!isTimeOf(context, push, { time, ...(startedAt !== undefined && { startedAt }) }))
    throw new PromiseBroken(
      "a date-time with a UTC offset, within 5 minutes of the deployment's Date header",
      `${timestamp} (${new Date(time.from).toISOString()}) at ${new Date(push.at).toISOString()}; the push: ${describePush(push)}`,
    );
  if (!time.isUsual) context.remarks.add('unusual-timestamp', `timestamp: ${timestamp}`);
  return time.offset;
}

/** Throws NotVerified where no push has the body of an event. */
async function eventBodiesOf(context: Context): Promise<EventPush[]> {
  const signed = await settle(() => pushesOn(context, { channel: 'custom', signed: true }));
  const unsigned = await settle(() => pushesOn(context, { channel: 'custom', signed: false }));
  if (signed.error && unsigned.error) throw signed.error;
  const pushes = [signed, unsigned].flatMap((settled) => (settled.error ? [] : settled.value()));
  const seen = pushes.flatMap((push) => {
    const body = eventBodyOf(context, push);
    return body ? [{ push, body }] : [];
  });
  if (seen.length > 0) return seen;
  throw new NotVerified(
    'the test message names none of the seven events (its body is a gap), and the profile states no operation that causes an event',
  );
}

function requireFields({ validate }: Context, push: SeenPush, body: Body): void {
  const broken = validate('/components/schemas/EventBody', body).find(
    ({ requirements }) => typeof body.timestamp !== 'string' || !requirements.includes('EVENT-3'),
  );
  if (broken) throw new PromiseBroken(`${broken.at}: ${broken.expected}`, describePush(push));
}

function observeForm({ observations }: Context, push: SeenPush): void {
  observations.compare('webhook.content-type', contentTypeOf(push));
  const text = push.body.toString('utf8');
  observations.compare('webhook.body-style', styleOf(text));
}

function observeData({ validate, observations }: Context, body: Body): void {
  if (!eventNames.some((name) => name === body.event)) return;
  const schema = eventSchema(String(body.event));
  const gap = `event-data.${String(body.event)}`;
  const drift = validate(schema, body).filter(({ gaps }) => gaps.includes(gap));
  if (drift[0]) observations.drifts(gap, `${drift[0].at}: ${writeJson(body.data)}`);
  else observations.agrees(gap, 'as the profile says');
}

/** The JSON pointer of the schema of an event's body in the description. */
export function eventSchema(event: string): string {
  const words = event.split('.').map((word) => word[0]?.toUpperCase() + word.slice(1));
  return `/components/schemas/${words.join('')}Event`;
}
