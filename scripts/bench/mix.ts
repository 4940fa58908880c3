// A mix of all operations: twenty kinds of calls, a quarter of which cause a push.
import type { OperationId } from '../../openapi/operations.ts';
import type { Access } from './bench-world.ts';
import { type Call, type CallMaker, createCallMaker } from './calls.ts';

export interface MixedCall {
  call: Call;
  /** Whether the call should succeed, or be refused. */
  succeeds: boolean;
  /** Keeps the identifier in the answer for later calls. */
  remember?(data: Record<string, unknown>): void;
}

/** One of several simultaneous callers; each uses only what it has created itself. */
export interface Actor {
  make: CallMaker;
  access: Access;
  created: { content?: unknown; subscription?: unknown; site?: unknown };
}

export function createActors(accesses: readonly Access[]): Actor[] {
  const make = createCallMaker();
  return accesses.map((access) => ({ make, access, created: {} }));
}

/** The number of kinds of calls. */
export const kindCount = 20;

/** A call of one kind; `name` distinguishes it from those of other rounds. */
export function makeMixedCall({ make, access, created }: Actor, kind: number, name: string): MixedCall {
  const { siteId: siteID, apiKey } = access;
  const accepted = (id: OperationId, values: object = {}, result?: keyof Actor['created']): MixedCall => ({
    call: make(id, { siteID, ...values }, apiKey),
    succeeds: true,
    ...(result && { remember: (data) => Object.assign(created, { [result]: data.id ?? data.site_id }) }),
  });
  const refused = (call: Call): MixedCall => ({ call, succeeds: false });
  const content = { contentID: created.content, title: `Title ${name}`, text: text.repeat(5) };
  const site = { siteID: created.site, name: `Site ${name}` };
  const calls: readonly (() => MixedCall)[] = [
    () => accepted('login', access),
    () => refused(make('login', { ...access, password: 'wrong' })),
    () => accepted('createContent', content, 'content'),
    () => accepted('updateContent', content),
    () => accepted('publishContent', content),
    () => accepted('createSubscription', subscription, 'subscription'),
    () => accepted('listSubscriptions'),
    () => accepted('deleteSubscription', { subscriptionID: created.subscription }),
    () => accepted('createSite', { name: site.name }, 'site'),
    () => accepted('getSite', site),
    () => accepted('deleteSite', site),
    () => accepted('listSites'),
    () => accepted('publishSite', { note: name }),
    () => accepted('submitForm', { form: 'reservation', fields: { name, text } }),
    () => accepted('createComment', { author: name, text }),
    () => accepted('askAi', { prompt: text }),
    () => accepted('listKeys'),
    () => refused(make('createSubscription', { siteID, ...subscription, url: 'no URL' }, apiKey)),
    () => refused(make('getSite', { siteID: 999_999_999 }, apiKey)),
    () => refused(make('listSites', {}, 'sp_unknown')),
  ];
  const choose = calls[kind];
  if (!choose)
    throw new Error(`kinds of calls are numbered from 0 to ${kindCount - 1}; ${kind} is not one of them`);
  return choose();
}

/** A subscription to most events of the actor's site, which stays. */
export function makeLastingSubscription({ make, access }: Actor, url: string): MixedCall {
  const events = ['content.update', 'content.publish', 'form.submit', 'comment.created', 'publish.complete'];
  const values = { siteID: access.siteId, url, events, channel: 'custom', secret: 'a signing secret' };
  return { call: make('createSubscription', values, access.apiKey), succeeds: true };
}

const text = '三月十五日起，每天限量五十杯。 Notes of plum and black tea. ';
const subscription = { url: 'https://hooks.example/sitepub', events: ['publish.failed'], channel: 'custom' };
