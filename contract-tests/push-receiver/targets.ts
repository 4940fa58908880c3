// The receiving URLs of a run: what was asked for at each, and what came there.
import type { OperationId } from '../../openapi/operations.ts';
import type { SentRequest } from '../core/exchange.ts';
import type { Push, Receiver } from './push-receiver.ts';

/** A receiving URL. The same one may have been given to several subscriptions. */
export interface Target {
  path: string;
  /** The channel and the origin: those at another port of the receiver are closed for a while, and can't be greeted. */
  kind: string;
  creations: [SentRequest, ...SentRequest[]];
  /** Tests of its subscriptions. */
  tests: SentRequest[];
  /** What was done on its site since, which may be an event. */
  events: SentRequest[];
  /** Everything that came, what was dismissed included. */
  pushes: Push[];
}

/** What finding the targets needs; a context of the run has it. */
export interface TargetContext {
  requests: readonly SentRequest[];
  receiver: Receiver | undefined;
}

/** Whatever these do on a site may be an event there. */
const eventfulOperations: readonly OperationId[] = [
  ...(['createContent', 'updateContent', 'publishContent', 'deleteContent'] as const),
  ...(['submitForm', 'createComment', 'publishSite', 'failPublish', 'importSite'] as const),
];

interface Index {
  targets: Map<string, Target>;
  /** How many requests and pushes are in it. */
  requests: number;
  pushes: number;
}

const indexes = new WeakMap<readonly SentRequest[], Index>();

/** All targets, by path; those whose creation was refused or not answered included. */
export function targetsOf({ requests, receiver }: TargetContext): ReadonlyMap<string, Target> {
  const index = indexes.get(requests) ?? { targets: new Map(), requests: 0, pushes: 0 };
  const pushes = receiver?.everyPush() ?? [];
  if (index.requests === requests.length && index.pushes === pushes.length) return index.targets;
  indexes.set(requests, index);
  for (const request of requests.slice(index.requests)) addRequest(index, request);
  for (const push of pushes.slice(index.pushes)) index.targets.get(push.path)?.pushes.push(push);
  Object.assign(index, { requests: requests.length, pushes: pushes.length });
  return index.targets;
}

function addRequest({ targets }: Index, request: SentRequest): void {
  if (request.operation === 'createSubscription') addCreation(targets, request);
  if (request.operation !== 'testSubscription' && !isEventful(request)) return;
  for (const { creations, tests, events } of targets.values()) {
    if (creations.some((creation) => isTestOf(request, creation))) tests.push(request);
    if (creations.some((creation) => isEventAt(request, creation))) events.push(request);
  }
}

function addCreation(targets: Map<string, Target>, creation: SentRequest): void {
  const path = pathIn(creation.values.url);
  const known = path === undefined ? undefined : targets.get(path);
  if (known) known.creations.push(creation);
  else if (path !== undefined)
    targets.set(path, {
      path,
      kind: kindOf(creation),
      creations: [creation],
      tests: [],
      events: [],
      pushes: [],
    });
}

function kindOf({ values: { url, channel = 'custom' } }: SentRequest): string {
  return `${channel} ${/^\w+:\/\/[^/]*/.exec(String(url)) ?? ''}`;
}

/** The path at the receiver in a receiving URL; the receiver may stand behind another path. */
function pathIn(url: unknown): string | undefined {
  return /\/sitepub\/[^?#]*/.exec(String(url))?.[0];
}

function isTestOf({ operation, values }: SentRequest, { exchange, values: created }: SentRequest): boolean {
  const id = exchange?.values.id;
  if (operation !== 'testSubscription' || id === undefined) return false;
  return String(values.id) === String(id) && String(values.siteID) === String(created.siteID);
}

function isEventAt(request: SentRequest, { values: created }: SentRequest): boolean {
  return isEventful(request) && String(request.values.siteID) === String(created.siteID);
}

/** Whether what was sent may be an event on its site. */
export function isEventful({ operation }: SentRequest): boolean {
  return eventfulOperations.includes(operation);
}

/** Whether a push came after any of the requests was sent. */
export function isAfterAny(push: Push, requests: readonly SentRequest[]): boolean {
  return requests.some(({ order }) => order < push.order);
}
