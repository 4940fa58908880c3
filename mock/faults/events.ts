import type { EventName } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/registers.ts';
import { isObject } from '../variations/is-object.ts';
import type { Push } from '../webhooks/push.ts';
import type { Subscription, World } from '../world.ts';
import type { Fault, Wrap } from './fault.ts';
import { isAscii, telling } from './wrap-pushes.ts';

/** Of what is pushed to whom, and of what it says. */
export const eventFaults: readonly Fault[] = [
  {
    id: 'site-id-as-text-on-form-submit',
    title: 'The site_id of form.submit is a string.',
    requirement: 'EVENT-1',
    wrap: telling(isOf('form.submit'), (body) => ({ ...body, site_id: String(body.site_id) })),
  },
  {
    id: 'site-name-in-ascii',
    title: 'What is not ASCII in the name of a site is pushed as question marks.',
    requirement: 'EVENT-1',
    wrap: telling(
      ({ push }) => !isAscii(push.site.name),
      (body) => ({ ...body, site_name: String(body.site_name).replace(/[^\0-\x7f]/g, '?') }),
    ),
  },
  {
    id: 'no-data-on-content-delete',
    title: 'The data of content.delete is null.',
    requirement: 'EVENT-1',
    wrap: telling(isOf('content.delete'), (body) => ({ ...body, data: null })),
  },
  {
    id: 'event-with-underscore',
    title: 'The body names form.submit form_submit.',
    requirement: 'EVENT-2',
    wrap: telling(isOf('form.submit'), (body) => ({ ...body, event: 'form_submit' })),
  },
  {
    id: 'event-in-past-tense',
    title: 'The body names content.update content.updated.',
    requirement: 'EVENT-2',
    wrap: telling(isOf('content.update'), (body) => ({ ...body, event: 'content.updated' })),
  },
  {
    id: 'timestamp-without-offset-on-publish',
    title: 'The timestamp of publish.complete is a local time without an offset.',
    requirement: 'EVENT-3',
    wrap: telling(isOf('publish.complete'), (body) => ({
      ...body,
      timestamp: String(body.timestamp).slice(0, 'yyyy-mm-ddThh:mm:ss'.length),
    })),
  },
  {
    id: 'timestamp-with-gmt',
    title: 'The timestamp of comment.created has GMT in place of its offset.',
    requirement: 'EVENT-3',
    wrap: telling(isOf('comment.created'), (body) => ({
      ...body,
      timestamp: String(body.timestamp).replace(/(Z|[+-]\d\d:\d\d)$/, ' GMT'),
    })),
  },
  {
    id: 'failures-to-those-who-chose-success',
    title: 'publish.failed is pushed also to those who chose publish.complete alone.',
    requirement: 'EVENT-4',
    wrap: alsoTo('publish.failed', ({ events }) => events.includes('publish.complete')),
  },
  {
    id: 'content-events-as-a-family',
    title: 'content.update is pushed to everybody who chose any event of content.',
    requirement: 'EVENT-4',
    wrap: alsoTo('content.update', ({ events }) => events.some((event) => event.startsWith('content.'))),
  },
  {
    id: 'pages-as-text',
    title: 'The pages of publish.complete are a string.',
    requirement: 'EVENT-5',
    wrap: tellingPublish((data) => ({ ...data, pages: String(data.pages) })),
  },
  {
    id: 'no-message-on-publish-complete',
    title: 'publish.complete has no message.',
    requirement: 'EVENT-5',
    wrap: tellingPublish(({ message: _gone, ...data }) => data),
  },
  {
    id: 'version-one-behind',
    title: 'publish.complete tells the version before the one that was published.',
    requirement: 'EVENT-5',
    wrap: tellingPublish((data) => ({ ...data, version: Number(data.version) - 1 })),
  },
  {
    id: 'content-publish-told-as-update',
    title: 'Content that is published is told of as content.update.',
    requirement: 'EVENT-6',
    wrap: retelling('content.publish', { as: 'content.update' }),
  },
  {
    id: 'content-publish-of-non-ascii-lost',
    title: 'content.publish is not pushed where its data is not ASCII.',
    requirement: 'EVENT-6',
    wrap: losing('content.publish', ({ data }) => !isAscii(JSON.stringify(data))),
  },
  {
    id: 'content-update-of-non-ascii-lost',
    title: 'content.update is not pushed where its data is not ASCII.',
    requirement: 'EVENT-7',
    wrap: losing('content.update', ({ data }) => !isAscii(JSON.stringify(data))),
  },
  {
    id: 'content-update-told-as-publish',
    title: 'Content that is changed after its publication is told of as content.publish.',
    requirement: 'EVENT-7',
    wrap: retelling('content.update', { as: 'content.publish' }),
  },
  {
    id: 'content-delete-lost',
    title: 'content.delete is never pushed.',
    requirement: 'EVENT-8',
    wrap: losing('content.delete', () => true),
  },
  {
    id: 'content-delete-told-as-update',
    title: 'Content that is deleted is told of as content.update.',
    requirement: 'EVENT-8',
    wrap: retelling('content.delete', { as: 'content.update' }),
  },
  {
    id: 'form-submit-with-non-ascii-lost',
    title: 'form.submit is not pushed where a field is not ASCII.',
    requirement: 'EVENT-9',
    wrap: losing('form.submit', ({ data }) => !isAscii(JSON.stringify(data))),
  },
  {
    id: 'form-submit-to-contact-lost',
    title: 'form.submit is not pushed for the form contact.',
    requirement: 'EVENT-9',
    wrap: losing('form.submit', ({ data }) => Object.values(data).includes('contact')),
  },
  {
    id: 'comment-created-with-non-ascii-lost',
    title: 'comment.created is not pushed where the text is not ASCII.',
    requirement: 'EVENT-10',
    wrap: losing('comment.created', ({ data }) => !isAscii(JSON.stringify(data))),
  },
  {
    id: 'comment-created-told-as-form-submit',
    title: 'A new comment is told of as form.submit.',
    requirement: 'EVENT-10',
    wrap: retelling('comment.created', { as: 'form.submit' }),
  },
  {
    id: 'publish-complete-lost',
    title: 'publish.complete is never pushed.',
    requirement: 'EVENT-11',
    wrap: losing('publish.complete', () => true),
  },
  {
    id: 'publish-complete-from-version-eight-lost',
    title: 'publish.complete is not pushed for versions above 7.',
    requirement: 'EVENT-11',
    wrap: losing('publish.complete', ({ data }) => Number(data.version) > 7),
  },
  {
    id: 'publish-failed-lost',
    title: 'publish.failed is never pushed.',
    requirement: 'EVENT-12',
    wrap: losing('publish.failed', () => true),
  },
  {
    id: 'publish-failed-told-as-complete',
    title: 'A publish that fails is told of as publish.complete, with 0 pages of version 0.',
    requirement: 'EVENT-12',
    wrap: retelling('publish.failed', { as: 'publish.complete', more: { pages: 0, version: 0 } }),
  },
  {
    id: 'second-alike-left-out',
    title: 'Of several custom subscriptions that chose all seven events, only the oldest is pushed to.',
    requirement: 'EVENT-13',
    wrap: to((subscriptions) => {
      const all = subscriptions.filter(({ events, channel }) => events.length === 7 && channel === 'custom');
      return subscriptions.filter((one) => one === all[0] || !all.includes(one));
    }),
  },
  {
    id: 'feishu-left-out-of-comments',
    title: 'comment.created is not pushed on the channel feishu.',
    requirement: 'EVENT-13',
    wrap: to((subscriptions, { event }) =>
      subscriptions.filter(({ channel }) => event !== 'comment.created' || channel !== 'feishu'),
    ),
  },
  {
    id: 'seventh-subscriber-left-out',
    title: 'An event is pushed to no more than six subscriptions.',
    requirement: 'EVENT-13',
    wrap: to((subscriptions) => subscriptions.slice(0, 6)),
  },
  {
    id: 'other-site-of-tenant-told',
    title: 'An event is pushed to the subscriptions of all sites of the tenant.',
    requirement: 'EVENT-13',
    wrap: to((subscriptions, { event, site }, { sites, subscriptions: all }) => {
      const tenantId = sites.get(site.id)?.tenantId;
      const others = [...all.values()].filter(
        ({ siteId, events }) =>
          siteId !== site.id &&
          sites.get(siteId)?.tenantId === tenantId &&
          events.some((chosen) => chosen === event),
      );
      return [...subscriptions, ...others];
    }),
  },
];

function isOf(event: EventName): (recorded: { push: Push }) => boolean {
  return ({ push }) => push.event === event;
}

/** Changes to whom events are pushed. */
function to(change: (chosen: Subscription[], push: Push, world: World) => Subscription[]): Wrap {
  return (parts) => ({
    recipientsOf: (world, push) => change(parts.recipientsOf(world, push), push, world),
  });
}

function alsoTo(event: EventName, when: (subscription: Subscription) => boolean): Wrap {
  return to((chosen, push, { subscriptions }) => {
    if (push.event !== event) return chosen;
    const others = [...subscriptions.values()].filter((one) => one.siteId === push.site.id && when(one));
    return [...new Set([...chosen, ...others])];
  });
}

function losing(event: EventName, when: (push: Push) => boolean): Wrap {
  return to((chosen, push) => (push.event === event && when(push) ? [] : chosen));
}

/** Tells of an event as another one, with more data. */
function retelling(event: EventName, { as, more }: { as: EventName; more?: Json }): Wrap {
  const retold = (push: Push) =>
    push.event === event && !push.test ? { ...push, event: as, data: { ...push.data, ...more } } : push;
  return (parts) => ({
    recipientsOf: (world, push) => parts.recipientsOf(world, retold(push)),
    recordDelivery: (context, push, subscription) =>
      parts.recordDelivery(context, retold(push), subscription),
  });
}

function tellingPublish(change: (data: Json) => Json): Wrap {
  return telling(isOf('publish.complete'), (body) => ({
    ...body,
    data: isObject(body.data) ? change(body.data) : body.data,
  }));
}
