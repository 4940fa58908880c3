// All that a mock is asked to do, in turn: twenty kinds of calls, a quarter of which cause a push.
import type { OperationId } from '../../openapi/operations.ts';
import type { Access } from './bench-world.ts';
import { type Call, type CallMaker, createCallMaker } from './calls.ts';

export interface MixedCall {
  call: Call;
  /** Whether it is to succeed, or to be refused. */
  succeeds: boolean;
  /** Takes from the answer what later calls need. */
  remember?(data: Record<string, unknown>): void;
}

/** One of those who call at the same time; each keeps to what it has created itself. */
export interface Actor {
  make: CallMaker;
  access: Access;
  created: { content?: unknown; subscription?: unknown; site?: unknown };
}

export function createActors(accesses: readonly Access[]): Actor[] {
  const make = createCallMaker();
  return accesses.map((access) => ({ make, access, created: {} }));
}

/** How many kinds of calls there are. */
export const kindCount = 20;

/** The call of each kind; `name` tells it from those of other rounds. */
export function makeMixedCall({ make, access, created }: Actor, kind: number, name: string): MixedCall {
  const { siteId: siteID, apiKey } = access;
  const fine = (id: OperationId, values: object = {}, kept?: keyof Actor['created']): MixedCall => ({
    call: make(id, { siteID, ...values }, apiKey),
    succeeds: true,
    ...(kept && { remember: (data) => Object.assign(created, { [kept]: data.id ?? data.site_id }) }),
  });
  const refused = (call: Call): MixedCall => ({ call, succeeds: false });
  const content = { contentID: created.content, title: `Title ${name}`, text: text.repeat(5) };
  const site = { siteID: created.site, name: `Site ${name}` };
  const calls: readonly (() => MixedCall)[] = [
    () => fine('login', access),
    () => refused(make('login', { ...access, password: 'wrong' })),
    () => fine('createContent', content, 'content'),
    () => fine('updateContent', content),
    () => fine('publishContent', content),
    () => fine('createSubscription', subscription, 'subscription'),
    () => fine('listSubscriptions'),
    () => fine('deleteSubscription', { subscriptionID: created.subscription }),
    () => fine('createSite', { name: site.name }, 'site'),
    () => fine('getSite', site),
    () => fine('deleteSite', site),
    () => fine('listSites'),
    () => fine('publishSite', { note: name }),
    () => fine('submitForm', { form: 'reservation', fields: { name, text } }),
    () => fine('createComment', { author: name, text }),
    () => fine('askAi', { prompt: text }),
    () => fine('listKeys'),
    () => refused(make('createSubscription', { siteID, ...subscription, url: 'no URL' }, apiKey)),
    () => refused(make('getSite', { siteID: 999_999_999 }, apiKey)),
    () => refused(make('listSites', {}, 'sp_unknown')),
  ];
  const choose = calls[kind];
  if (!choose) throw new Error(`there are ${kindCount} kinds of calls, from 0 up; ${kind} is none`);
  return choose();
}

/** Subscribes the actor's site to all that happens on it. */
export function makeLastingSubscription({ make, access }: Actor, url: string): MixedCall {
  const events = ['content.update', 'content.publish', 'form.submit', 'comment.created', 'publish.complete'];
  const values = { siteID: access.siteId, url, events, channel: 'custom', secret: 'a signing secret' };
  return { call: make('createSubscription', values, access.apiKey), succeeds: true };
}

const text = '三月十五日起，每天限量五十杯。 Notes of plum and black tea. ';
const subscription = { url: 'https://hooks.example/sitepub', events: ['publish.failed'], channel: 'custom' };
