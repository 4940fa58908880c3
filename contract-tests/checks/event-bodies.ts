import type { Check, Need } from '../check.ts';
import type { Context } from '../context.ts';
import { pushesOn, type SeenPush } from '../evidence.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import { describePush, eventBodyOf, headerOf } from '../read-push.ts';
import { listSites } from '../sites.ts';
import { eventNames } from '../vocabulary.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];
const isoDateTime = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:[.,]\d+)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** The body of a push on the custom channel, judged on every push of the run that bears one of the seven names. */
export const eventBodies: readonly Check[] = [
  {
    id: 'event-1-body',
    requirement: 'EVENT-1',
    needs,
    run: async (context) => {
      const name = await siteName(context);
      for (const { push, body } of await eventBodiesOf(context)) {
        observeForm(context, push, body);
        requireFields(context, push, body);
        if (body.site_id !== context.siteId)
          throw new PromiseBroken(
            `the site_id ${context.siteId} of the site that the push is about`,
            describePush(push),
          );
        if (name !== undefined && body.site_name !== name)
          throw new PromiseBroken(`the site's name ${JSON.stringify(name)} in site_name`, describePush(push));
        observeData(context, body);
      }
    },
  },
  {
    id: 'event-2-name',
    requirement: 'EVENT-2',
    needs,
    run: async (context) => {
      for (const { push, body } of await eventBodiesOf(context)) {
        const { event } = body;
        if (typeof event !== 'string') throw new NotVerified('the body has no event string; see EVENT-1');
        if (!eventNames.some((name) => name === event))
          throw new PromiseBroken(`one of ${eventNames.join(', ')} as event`, describePush(push));
      }
    },
  },
  {
    id: 'event-3-timestamp',
    requirement: 'EVENT-3',
    needs,
    run: async (context) => {
      for (const { push, body } of await eventBodiesOf(context)) {
        const { timestamp } = body;
        if (typeof timestamp !== 'string')
          throw new NotVerified('the body has no timestamp string; see EVENT-1');
        const offset = offsetOf(timestamp);
        if (offset === undefined)
          throw new PromiseBroken(
            'an ISO 8601 date-time with a UTC offset (Z or +hh:mm)',
            `${timestamp} in ${describePush(push)}`,
          );
        context.observations.compare('webhook.timestamp-offset', offset);
      }
    },
  },
];

/** The UTC offset of an ISO 8601 date-time; undefined where there is none, or where it is no date-time. */
export function offsetOf(timestamp: string): string | undefined {
  const [, minutes = '', seconds = '', offset = ''] = isoDateTime.exec(timestamp) ?? [];
  const whole = seconds.slice(0, 3).replace(':60', ':59');
  return offset !== '' && !Number.isNaN(Date.parse(`${minutes}${whole}Z`)) ? offset : undefined;
}

/** How the JSON was written, by the names of webhook.body-style. */
export function styleOf(text: string, body: unknown): string {
  if (text === JSON.stringify(body)) return 'compact';
  if (/^\s*\{\s*\n/.test(text)) return 'pretty';
  if (/\\u[0-9a-f]{4}|\\\//i.test(text)) return 'escaped';
  return /": /.test(text) ? 'spaced' : 'another';
}

interface EventPush {
  push: SeenPush;
  body: Record<string, unknown>;
}

/** Throws NotVerified where no push bears the body of an event. */
async function eventBodiesOf(context: Context): Promise<EventPush[]> {
  const seen: EventPush[] = [];
  for (const push of await pushesOn(context, { channel: 'custom', signed: true })) {
    const body = eventBodyOf(context, push);
    if (body) seen.push({ push, body });
  }
  if (seen.length > 0) return seen;
  throw new NotVerified(
    'the test message bears none of the seven event names (its body is a gap), and the profile states no operation that causes an event',
  );
}

function requireFields({ validate }: Context, push: SeenPush, body: Record<string, unknown>): void {
  const broken = validate('/components/schemas/EventBody', body).find(
    ({ requirements }) => typeof body.timestamp !== 'string' || !requirements.includes('EVENT-3'),
  );
  if (broken) throw new PromiseBroken(`${broken.at}: ${broken.expected}`, describePush(push));
}

function observeForm({ observations }: Context, push: SeenPush, body: Record<string, unknown>): void {
  observations.compare('webhook.content-type', headerOf(push, 'Content-Type') ?? '(none)');
  const text = push.body.toString('utf8');
  observations.compare('webhook.body-style', styleOf(text, body));
}

function observeData({ validate, observations }: Context, body: Record<string, unknown>): void {
  if (!eventNames.some((name) => name === body.event)) return;
  const schema = eventSchema(String(body.event));
  const gap = `event-data.${String(body.event)}`;
  const drift = validate(schema, body).filter(({ gaps }) => gaps.includes(gap));
  if (drift[0]) observations.drifts(gap, `${drift[0].at}: ${JSON.stringify(body.data)}`);
  else observations.agrees(gap, 'as the profile says');
}

/** Where the description has the body of an event. */
export function eventSchema(event: string): string {
  const words = event.split('.').map((word) => word[0]?.toUpperCase() + word.slice(1));
  return `/components/schemas/${words.join('')}Event`;
}

/** The name of the site under test, where the profile says how to find it out. */
async function siteName(context: Context): Promise<string | undefined> {
  const name = (await listSites(context)).find(({ id }) => id === context.siteId)?.name;
  return typeof name === 'string' ? name : undefined;
}
