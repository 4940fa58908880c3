import type { Check, Need } from '../check.ts';
import type { Context } from '../context.ts';
import { testPush } from '../hooks.ts';
import { listSites } from '../list-sites.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import { describePush, eventBodyOf, headerOf } from '../read-push.ts';
import type { Push } from '../receiver.ts';
import { eventNames } from '../vocabulary.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];
const isoDateTime = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:[.,]\d+)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** The body of a push on the custom channel, judged on a test push that bears one of the seven names. */
export const events: readonly Check[] = [
  {
    id: 'event-1-body',
    requirement: 'EVENT-1',
    needs,
    run: async (context) => {
      const push = await testPush(context, { channel: 'custom', signed: true });
      const body = eventBodyOf(context, push);
      observeForm(context, push, body);
      const broken = context
        .validate('/components/schemas/EventBody', body)
        .find(({ requirements }) => typeof body.timestamp !== 'string' || !requirements.includes('EVENT-3'));
      if (broken) throw new PromiseBroken(`${broken.at}: ${broken.expected}`, describePush(push));
      if (body.site_id !== context.siteId)
        throw new PromiseBroken(
          `the site_id ${context.siteId} of the site that the push is about`,
          describePush(push),
        );
      const name = await siteName(context);
      if (name !== undefined && body.site_name !== name)
        throw new PromiseBroken(`the site's name ${JSON.stringify(name)} in site_name`, describePush(push));
      observeData(context, body);
    },
  },
  {
    id: 'event-2-name',
    requirement: 'EVENT-2',
    needs,
    run: async (context) => {
      const push = await testPush(context, { channel: 'custom', signed: true });
      const { event } = eventBodyOf(context, push);
      if (typeof event !== 'string') throw new NotVerified('the body has no event string; see EVENT-1');
      if (!eventNames.some((name) => name === event))
        throw new PromiseBroken(`one of ${eventNames.join(', ')} as event`, event);
    },
  },
  {
    id: 'event-3-timestamp',
    requirement: 'EVENT-3',
    needs,
    run: async (context) => {
      const push = await testPush(context, { channel: 'custom', signed: true });
      const { timestamp } = eventBodyOf(context, push);
      if (typeof timestamp !== 'string')
        throw new NotVerified('the body has no timestamp string; see EVENT-1');
      const offset = offsetOf(timestamp);
      if (offset === undefined)
        throw new PromiseBroken('an ISO 8601 date-time with a UTC offset (Z or +hh:mm)', timestamp);
      context.observations.compare('webhook.timestamp-offset', offset);
    },
  },
];

/** The UTC offset of an ISO 8601 date-time; undefined where there is none, or where it is no date-time. */
export function offsetOf(timestamp: string): string | undefined {
  const [, minutes = '', seconds = '', offset = ''] = isoDateTime.exec(timestamp) ?? [];
  const whole = seconds.slice(0, 3).replace(':60', ':59');
  return offset !== '' && !Number.isNaN(Date.parse(`${minutes}${whole}Z`)) ? offset : undefined;
}

function observeForm({ observations }: Context, push: Push, body: Record<string, unknown>): void {
  observations.compare('webhook.content-type', headerOf(push, 'Content-Type') ?? '(none)');
  observations.compare('webhook.body-style', styleOf(push.body.toString('utf8'), body));
}

/** How the JSON was written, by the names of webhook.body-style. */
export function styleOf(text: string, body: unknown): string {
  if (text === JSON.stringify(body)) return 'compact';
  if (/^\s*\{\s*\n/.test(text)) return 'pretty';
  if (/\\u[0-9a-f]{4}|\\\//i.test(text)) return 'escaped';
  return /": /.test(text) ? 'spaced' : 'another';
}

function observeData({ validate, observations }: Context, body: Record<string, unknown>): void {
  if (!eventNames.some((name) => name === body.event)) return;
  const schema = `/components/schemas/${String(body.event)
    .split('.')
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('')}Event`;
  const gap = `event-data.${String(body.event)}`;
  const drift = validate(schema, body).filter(({ gaps }) => gaps.includes(gap));
  if (drift[0]) observations.drifts(gap, `${drift[0].at}: ${JSON.stringify(body.data)}`);
  else observations.agrees(gap, 'as the profile says');
}

/** The name of the site under test, where the profile says how to find it out. */
async function siteName(context: Context): Promise<string | undefined> {
  const name = (await listSites(context)).find(({ id }) => id === context.siteId)?.name;
  return typeof name === 'string' ? name : undefined;
}
