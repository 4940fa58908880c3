// The receiving URLs of a run, with the requests and pushes of each.
import { isEventful } from '../core/event-operations.ts';
import type { SentRequest } from '../core/exchange.ts';
import type { Push, Receiver } from './push-receiver.ts';

/** A receiving URL. Several subscriptions may share one. */
export interface Target {
  path: string;
  /** Channel and origin. Targets at another port of the receiver are closed at first, so greetings cannot reach them. */
  kind: string;
  creations: [SentRequest, ...SentRequest[]];
  tests: SentRequest[];
  /** Requests since then that may have caused an event on its site. */
  events: SentRequest[];
  /** All pushes, including dismissed ones. */
  pushes: Push[];
}

export interface TargetContext {
  requests: readonly SentRequest[];
  receiver: Receiver | undefined;
}

interface Index {
  targets: Map<string, Target>;
  requests: number;
  pushes: number;
}

const indexes = new WeakMap<readonly SentRequest[], Index>();

/** All targets by path, including those whose creation was refused or not answered. */
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
  if (request.operation !== 'testSubscription' && !isEventful(request.operation)) return;
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

/** The path at the receiver. A public address may put another path before it. */
function pathIn(url: unknown): string | undefined {
  return /\/sitepub\/[^?#]*/.exec(String(url))?.[0];
}

function isTestOf({ operation, values }: SentRequest, { exchange, values: created }: SentRequest): boolean {
  const id = exchange?.values.id;
  if (operation !== 'testSubscription' || id === undefined) return false;
  return String(values.id) === String(id) && String(values.siteID) === String(created.siteID);
}

function isEventAt(request: SentRequest, { values: created }: SentRequest): boolean {
  return isEventful(request.operation) && String(request.values.siteID) === String(created.siteID);
}

export function isAfterAny(push: Push, requests: readonly SentRequest[]): boolean {
  return requests.some(({ order }) => order < push.order);
}
