import type { EventName } from '../../openapi/generated/types.ts';
import { arrivalMs, isThere, notSeen } from '../arrivals.ts';
import { causes } from '../causes.ts';
import type { Check, Need } from '../check.ts';
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../exchange.ts';
import type { Subscription } from '../hook-calls.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import { gapOf } from '../own-calls.ts';
import { publication } from '../publications.ts';
import { bodyOf, describePush, headerOf, versionOf } from '../read-push.ts';
import type { Push } from '../receiver.ts';
import { eventScene, patienceFor, type Scene, silence } from '../scene.ts';
import { eventNames } from '../vocabulary.ts';
import { eventSchema } from './event-bodies.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];

/** The requirement that says that an event is pushed, in the order of section 6.1. */
const requirementOf: Readonly<Record<EventName, string>> = {
  'content.publish': 'EVENT-6',
  'content.update': 'EVENT-7',
  'content.delete': 'EVENT-8',
  'form.submit': 'EVENT-9',
  'comment.created': 'EVENT-10',
  'publish.complete': 'EVENT-11',
  'publish.failed': 'EVENT-12',
};

const operationOf: Readonly<Record<EventName, Need>> = {
  'content.publish': 'operation:publish-content',
  'content.update': 'operation:update-content',
  'content.delete': 'operation:delete-content',
  'form.submit': 'operation:submit-form',
  'comment.created': 'operation:create-comment',
  'publish.complete': 'operation:publish-site',
  'publish.failed': 'operation:fail-publish',
};

/** What is pushed when, and to whom. */
export const eventCauses: readonly Check[] = [
  ...eventNames.map((event) => ({
    id: `${requirementOf[event].toLowerCase()}-${event.replace('.', '-')}-is-pushed`,
    requirement: requirementOf[event],
    needs: [...needs, operationOf[event]] as const,
    plant,
    run: async (context: Context) => {
      const scene = await eventScene(context);
      const { call, subscription } = causedEvent(context, scene, event);
      if (pushesTo(context, subscription).length === 0)
        throw new PromiseBroken(
          `a push of ${event} after its cause`,
          notSeen(patienceFor(context, event)),
          call,
        );
    },
  })),
  {
    id: 'event-4-only-chosen-events',
    requirement: 'EVENT-4',
    needs: [...needs, 'operation:any-event'],
    plant,
    run: async (context) => {
      const scene = await eventScene(context);
      await silence(context);
      requireSomePush(context, scene);
      for (const [event, kept] of scene.only) {
        const strange = pushesTo(context, kept.value()).find((push) => isOther(eventOf(push), event));
        if (strange)
          throw new PromiseBroken(
            `only ${event} at a subscription that chose it alone`,
            describePush(strange),
          );
      }
    },
  },
  {
    id: 'event-5-publish-complete-data',
    requirement: 'EVENT-5',
    needs: [...needs, 'operation:publish-site'],
    plant,
    run: async (context) => {
      const { subscription } = causedEvent(context, await eventScene(context), 'publish.complete');
      const pushes = () =>
        pushesTo(context, subscription).filter((push) => isAbout(push, 'publish.complete'));
      if (pushes().length === 0) throw new NotVerified('publish.complete was not pushed; see EVENT-11');
      for (const push of pushes()) requireData(context, push);
      await requireVersion(context, pushes);
    },
  },
  {
    id: 'event-13-every-subscription',
    requirement: 'EVENT-13',
    needs: [...needs, 'operation:any-event'],
    plant,
    run: async (context) => {
      const scene = await eventScene(context);
      const pushed = pushedEvents(context, scene);
      requireSomePush(context, scene);
      for (const { name, subscription } of subscriptionsToAll(scene)) {
        for (const event of pushed) {
          const hasCome = () => pushesTo(context, subscription).some((push) => isAbout(push, event));
          if (await isThere(context, hasCome, arrivalMs(context))) continue;
          throw new PromiseBroken(
            `${event} at every subscription of the site that chose it`,
            `${notSeen(arrivalMs(context))} at ${name}`,
            subscription.exchange,
          );
        }
      }
    },
  },
  {
    id: 'event-13-no-other-site',
    requirement: 'EVENT-13',
    needs: [...needs, 'operation:any-event'],
    plant,
    run: async (context) => {
      const scene = await eventScene(context);
      const elsewhere = scene.elsewhere.value();
      await silence(context);
      requireSomePush(context, scene);
      const strange = pushesTo(context, elsewhere).find((push) => siteOf(push) === context.siteId);
      if (strange)
        throw new PromiseBroken(
          `no push about site ${context.siteId} at a subscription of site ${elsewhere.siteID}`,
          describePush(strange),
        );
    },
  },
];

async function plant(context: Context): Promise<void> {
  await eventScene(context);
}

/** The call that caused an event, and the subscription to it alone. Throws why, where either is missing. */
function causedEvent(
  context: Context,
  { caused, only }: Scene,
  event: EventName,
): { call: Exchange; subscription: Subscription } {
  const call = caused.get(event);
  const subscription = only.get(event);
  const operations = causes[event].operations.map((id) => gapOf(context, id)).join(', ');
  if (!call || !subscription)
    throw new NotVerified(`needs to know how to cause ${event}; state ${operations}`);
  return { call: call.value(), subscription: subscription.value() };
}

/** The events that were seen at any subscription of the scene: what they push is pushed. */
function pushedEvents(context: Context, { only, caused }: Scene): EventName[] {
  return [...caused.keys()].filter((event) => {
    const kept = only.get(event);
    return kept && !kept.error && pushesTo(context, kept.value()).length > 0;
  });
}

/** Silence says nothing where nothing is pushed at all. */
function requireSomePush(context: Context, scene: Scene): void {
  if (pushedEvents(context, scene).length === 0)
    throw new NotVerified('no event was pushed at all; see EVENT-6 to EVENT-12');
}

function subscriptionsToAll({ all, chat }: Scene): { name: string; subscription: Subscription }[] {
  const custom = all.map((kept, index) => ({ name: `one of two alike (number ${index + 1})`, kept }));
  const chats = [...chat].map(([channel, kept]) => ({ name: `one on the channel ${channel}`, kept }));
  return [...custom, ...chats].map(({ name, kept }) => ({ name, subscription: kept.value() }));
}

function pushesTo({ receiver }: Context, { path }: Subscription): readonly Push[] {
  return receiver?.pushesTo(path) ?? [];
}

/** A chat message names its event in the header only, if at all; then any message will do. */
function isAbout(push: Push, event: EventName): boolean {
  const named = eventOf(push);
  return named === undefined || named === event;
}

/** The event that a push names, where that is one of the seven. */
function eventOf(push: Push): EventName | undefined {
  const body = Object(bodyOf(push)) as { event?: unknown };
  const named = body.event ?? headerOf(push, 'X-Webhook-Event');
  return eventNames.find((name) => name === named);
}

function isOther(named: EventName | undefined, event: EventName): boolean {
  return named !== undefined && named !== event;
}

function siteOf(push: Push): unknown {
  return (Object(bodyOf(push)) as { site_id?: unknown }).site_id;
}

/** That of the latest publish: a deployment may pass over one that another one follows at once. */
async function requireVersion(context: Context, pushes: () => readonly Push[]): Promise<void> {
  const { first, other } = await publication(context);
  const call = other && succeeded(other) ? other : first;
  const { version } = call.values;
  if (typeof version !== 'number') return;
  const versions = () => pushes().map(versionOf);
  if (await isThere(context, () => versions().includes(version), patienceFor(context, 'publish.complete')))
    return;
  if (versions().every((told) => told === undefined))
    throw new NotVerified('no publish.complete has a version; see EVENT-1');
  throw new PromiseBroken(
    `version ${version} in a publish.complete, which its publish was answered with`,
    `${versions().join(', ')} only`,
    call,
  );
}

function requireData({ validate }: Context, push: Push): void {
  const broken = validate(eventSchema('publish.complete'), bodyOf(push)).find(({ requirements }) =>
    requirements.includes('EVENT-5'),
  );
  if (broken) throw new PromiseBroken(`${broken.at}: ${broken.expected}`, describePush(push));
}
