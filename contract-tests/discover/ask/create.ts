// Creates resources. The journal records each one before the request, and its id only once the answer provably names it.
import type { EventName } from '../../../openapi/generated/types.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import { whoseIs } from '../../calls/own-things.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { answerLeaves } from '../../core/json-leaves.ts';
import { isPathPart } from '../../core/read-values.ts';
import { creations, deletionOf } from '../../deployment/created-resources.ts';
import { placeOf, readingOf, type Thing } from '../../deployment/shown-things.ts';
import { exampleUrl } from '../../subscriptions/subscription-calls.ts';
import { type Probe, receiverOf } from '../probe.ts';
import { announce, askerOf, type CallResult, callOperation, isGiven, needsProof } from './operations.ts';
import { sendRequest, untilAcceptedBy, untilAnswered, untilSettled } from './send.ts';

/** No other list of an answer has exactly these. The first one differs from the first in the document and in the alphabet. */
export const plainEvents: readonly EventName[] = [
  ...(['content.update', 'publish.failed', 'comment.created', 'form.submit'] as const),
  ...(['publish.complete', 'content.publish'] as const),
];

/** Without a receiver, an unused example address. */
export function urlOf(probe: Probe, path: string): string {
  return receiverOf(probe)?.urlOf(path) ?? exampleUrl(path);
}

export interface CreationOptions {
  target?: string;
  site?: unknown;
  headers?: Record<string, string>;
  /** Sends no token. */
  isAnonymous?: boolean;
  /** Not repeated if the answer is lost. */
  isOnce?: boolean;
}

/** Records each request, because a lost answer may hide a creation. */
export async function sendCreation(
  probe: Probe,
  body: unknown,
  options: CreationOptions = {},
): Promise<Exchange> {
  const send = () => sendOneCreation(probe, body, options);
  return untilSettled(probe, options.isOnce ? send : () => untilAnswered(send));
}

async function sendOneCreation(
  probe: Probe,
  body: unknown,
  { target = '', site = probe.options.siteId, headers = {}, isAnonymous }: CreationOptions,
): Promise<Exchange> {
  const settle = announce(probe, { what: 'subscription', site, target });
  const exchange = await sendRequest(probe, {
    operation: 'createSubscription',
    path: `/tenant/sites/${encodeURIComponent(String(site))}/webhooks`,
    body,
    token: isAnonymous ? undefined : probe.session.token,
    headers,
    isOnce: true,
  });
  const known = () => knownId(probe, exchange, target);
  const id = known();
  const isNew = settle(exchange, id);
  if (isNew && id === undefined)
    probe.created.unidentified.push({ exchange, settle: () => settle(exchange, known()) });
  return exchange;
}

/** The body of a creation, with the discovered field names. */
export function creationBody({ findings }: Probe, values: Readonly<Record<string, unknown>>): object {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const nameOf = (field: string) => String(findings.value(`subscription.request.${field}`));
  return Object.fromEntries(given.map(([field, value]) => [nameOf(field), value]));
}

export function subscriptionIdIn({ findings, created }: Probe, { response }: Exchange): unknown {
  const pointer = created.shownId ?? findings.value('subscription.response.id');
  const id = answerLeaves(response.json).find((leaf) => leaf.pointer === pointer)?.value;
  return isPathPart(id) ? id : undefined;
}

/** Undefined if the id is not beside the sent address: a wrong id could delete another subscription. */
function knownId(probe: Probe, exchange: Exchange, target: string): unknown {
  const id = subscriptionIdIn(probe, exchange);
  const isMark = (value: unknown) => target !== '' && value === target;
  return placeOf(exchange, { what: 'subscription', id, isMark }) === 'elsewhere' ? undefined : id;
}

/** A site or a key is created only if it can be read, and deleted unless it `mayStay`. Resources on a site are deleted with it. */
export function mayCall(probe: Probe, id: OperationId, mayStay = false): boolean {
  const { what } = creations[id] ?? {};
  const isLeft = probe.options.learning && (what === 'site' || what === 'API key');
  const deletion = what && deletionOf(what)?.operation;
  const isDeletable = isGiven(probe, deletion);
  return isGiven(probe, id) && (!isLeft || ((isDeletable || mayStay) && isReadable(probe, what)));
}

function isReadable(probe: Probe, what: Thing['what']): boolean {
  return Object.values(readingOf[what] ?? {}).some((one) => isGiven(probe, one));
}

/** Calls an operation. Drops the id from the values if nothing proves that it identifies the created resource. */
export async function createOwn(
  probe: Probe,
  id: OperationId,
  values: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<CallResult> {
  const answer = await callOperation(probe, id, values, headers);
  if (!needsProof(probe, id) || !succeeded(answer.exchange) || answer.values.id === undefined) return answer;
  const all = { siteID: probe.options.siteId, ...values };
  if (!answer.isOfOthers && (await proveCreation(probe, id, answer, all))) return answer;
  const { id: _, ...others } = answer.values;
  return { ...answer, values: others, isUnproven: true };
}

/**
 * Reads the resource that an answer names, or its list, and records the id if it is the created one. An answer may name a job or another
 * resource, and later calls change and delete what is recorded.
 */
async function proveCreation(
  probe: Probe,
  id: OperationId,
  answer: CallResult,
  values: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { proven, resources } = probe.created;
  const { what = 'site', target = '' } = creations[id] ?? {};
  const created = answer.values.id;
  const { get, list } = readingOf[what] ?? {};
  if (!list || !deletionOf(what) || created === undefined) return false;
  const mark = String(values[target]);
  const thing: Thing = { what, id: created, site: values.siteID, tenant: 'main' };
  resources.ownership.addClaim(thing, mark, answer.exchange);
  const read = (other: OperationId, names: Record<string, unknown>) => {
    const call = () => callOperation(probe, other, names);
    return other === get ? untilAcceptedBy(probe, call, ({ exchange }) => succeeded(exchange)) : call();
  };
  const whose = await whoseIs(askerOf(probe, read), thing);
  if (whose !== 'own' && !(whose === 'believed' && isEnough(probe, thing))) return false;
  proven.add(id);
  resources.identify(what, mark, created);
  return true;
}

/** A learnt operation needs a read as proof, because the call may have renamed an existing resource. */
function isEnough(probe: Probe, thing: Thing): boolean {
  const { options, created } = probe;
  return !options.learning && (!isReadable(probe, thing.what) || created.resources.ownership.isShown(thing));
}
