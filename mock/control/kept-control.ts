// The control of a mock whose world a store keeps.

import type { handlers } from './control-handlers.ts';
import type { ControlledMock } from './controlled-mock.ts';
import type { Control } from './create-control.ts';
import { turnOfCall } from './turn-of-call.ts';

type Asked<Member> = Member extends (...given: infer Given) => infer Result
  ? (...given: Given) => Promise<Awaited<Result>>
  : Member;

type AskedAll<Members> = { [Name in keyof Members]: Asked<Members[Name]> };

type KeptInbox = AskedAll<ReturnType<Control['inbox']>>;

/**
 * Each method as in `Control`, but it gives a promise: it sees what other mocks have done to the world, and its result is
 * kept. Rejects with a ControlError, with status 503 where its HTTP call is answered so. `watch` is the same.
 */
export type KeptControl = AskedAll<Omit<Control, 'watch' | 'inbox'>> &
  Pick<Control, 'watch'> & { inbox(...given: Parameters<Control['inbox']>): KeptInbox };

/** The HTTP call that each method does. */
const callOf: Record<Exclude<keyof Control, 'watch' | 'inbox'>, keyof typeof handlers> = {
  health: 'getHealth',
  live: 'getLive',
  ready: 'getReady',
  metrics: 'getMetrics',
  overview: 'getOverview',
  tenants: 'listTenants',
  site: 'getSite',
  world: 'getWorld',
  restore: 'putWorld',
  stop: 'stop',
  reset: 'resetWorld',
  clock: 'getClock',
  moveClock: 'moveClock',
  advance: 'moveClock',
  causeEvent: 'causeEvent',
  deliveries: 'listDeliveries',
  sites: 'listSites',
  contents: 'listContents',
  submissions: 'listSubmissions',
  comments: 'listComments',
  publications: 'listPublications',
  subscriptions: 'listSubscriptions',
  delivery: 'getDelivery',
  redeliver: 'redeliver',
  giveUp: 'giveUp',
  drain: 'drain',
  requests: 'listRequests',
  request: 'getRequest',
  call: 'callOperation',
  clearRequests: 'clearRequests',
  overrides: 'listOverrides',
  override: 'addOverride',
  clearOverrides: 'clearOverrides',
  faults: 'getFaults',
  setFaults: 'setFaults',
  expireTokens: 'expireTokens',
  limits: 'listLimits',
  clearLimits: 'clearLimits',
  inboxes: 'listInboxes',
  worlds: 'listWorlds',
  allWorlds: 'listWorlds',
  createWorld: 'createWorld',
  endWorld: 'endWorld',
};

const inboxCallOf: Record<Exclude<keyof KeptInbox, 'url'>, keyof typeof handlers> = {
  configure: 'configureInbox',
  messages: 'listMessages',
  clear: 'clearInbox',
};

export function createKeptControl(control: Control, mock: ControlledMock): KeptControl {
  const askedAll = (members: object, calls: Readonly<Record<string, keyof typeof handlers>>) =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => {
        const call = calls[name];
        if (call === undefined) return [name, member];
        return [name, (...given: never[]) => turnOfCall(mock, call, () => member(...given))];
      }),
    );
  const { inbox } = control;
  return {
    ...askedAll(control, callOf),
    inbox: (name: string) => askedAll(inbox(name), inboxCallOf),
  } as KeptControl;
}
