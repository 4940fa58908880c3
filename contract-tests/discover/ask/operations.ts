// Calls of given and learnt operations, and the values in their answers.

import { parentOf } from '../../../openapi/json-pointer.ts';
import {
  namesIn,
  type Operation,
  type OperationId,
  writeQuery,
  writeRequest,
} from '../../../openapi/operations.ts';
import { fillPath } from '../../../openapi/template.ts';
import { type Asker, changedBy, whoseIs } from '../../calls/own-things.ts';
import { readPages } from '../../calls/read-pages.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { answerLeaves, type JsonLeaf } from '../../core/json-leaves.ts';
import { isSameId } from '../../core/parse-json.ts';
import { readValues } from '../../core/read-values.ts';
import { settle } from '../../core/settled.ts';
import { canBeDeleted, creations } from '../../deployment/created-resources.ts';
import { type ResourceKind, readingOf, type Thing } from '../../deployment/shown-things.ts';
import { completeLine } from '../../learn/learnt-findings.ts';
import { operationsIn, type Probe, StepImpossible } from '../probe.ts';
import { ensureSession } from './log-in.ts';
import { sendRequest, throwIfInterrupted, untilSettled, waitForNew } from './send.ts';

export interface CallResult {
  exchange: Exchange;
  /** Values of the answer that the profile has a pointer for. */
  values: Readonly<Record<string, unknown>>;
  /** Whether the resource in a creation answer existed before, so that the pointer to its id must be wrong. */
  isOfOthers: boolean;
  /** Whether no proof exists that a creation answer names the created resource. */
  isUnproven?: boolean;
  /** Whether a resource is readable after its deletion; undefined if unknown. */
  isStillThere?: boolean | undefined;
}

/** Whether an operation is known and the discovery has its credentials. */
export function isGiven(probe: Probe, id: OperationId | undefined): boolean {
  const operation = id && probe.seen.operations.get(id);
  return operation !== undefined && (operation.auth === 'none' || tokenFor(probe, operation) !== undefined);
}

function tokenFor(
  { session: { token }, options: { apiKey } }: Probe,
  { auth }: Operation,
): string | undefined {
  if (auth === 'none') return undefined;
  if (auth === 'api-key') return apiKey;
  return auth === 'session' && token === apiKey ? undefined : token;
}

/** Calls an operation as the tenant's user. Throws StepImpossible if it would change a resource that this run did not create. */
export async function callOperation(
  probe: Probe,
  id: OperationId,
  values: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<CallResult> {
  const { seen, created, options } = probe;
  const operation = seen.operations.get(id);
  if (!operation) throw new Error(`no operation ${id} is known`);
  await ensureSession(probe);
  const all = { siteID: options.siteId, ...values };
  await requireOwn(probe, operation, all);
  const send = async (isOnce: boolean) => {
    const exchange = await sendRequest(probe, {
      operation: id,
      method: operation.method,
      path: `${fillPath(operation.path, all)}${writeQuery(operation, all)}`,
      body: writeRequest(operation, all),
      token: tokenFor(probe, operation),
      headers,
      isOnce,
    });
    noteCalled(probe, operation.gap, succeeded(exchange));
    if (succeeded(exchange) && completeLine(probe, operation.gap, exchange.response.json))
      seen.operations = operationsIn(probe.findings);
    return exchange;
  };
  const exchange = creations[id] ? await create(probe, id, { values: all, send }) : await send(false);
  const { read, isOfOthers } = readAnswer(probe, id, { exchange, siteID: all.siteID });
  const known = seen.operations.get(id) ?? operation;
  created.resources.ownership.noteRead(known, { ...exchange, values: read }, { values: all, tenant: 'main' });
  probe.secrets.add('SITEPUB_CREATED_KEY', read.key);
  const isAccepted = succeeded(exchange);
  return { exchange, values: isAccepted ? read : {}, isOfOthers: isAccepted && isOfOthers };
}

export function noteCalled({ seen }: Probe, gap: string | undefined, isAccepted: boolean): void {
  if (gap !== undefined) seen.called.set(gap, isAccepted || (seen.called.get(gap) ?? false));
}

async function requireOwn(
  probe: Probe,
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const thing of changedBy(operation, values, { tenant: 'main', given: [probe.options.siteId] }))
    if (!(await isOwn(probe, thing)))
      throw new StepImpossible(`no proof that this run created ${thing.what} ${thing.id}`);
}

interface Creation {
  values: Readonly<Record<string, unknown>>;
  send(isOnce: boolean): Promise<Exchange>;
}

/** Records each request, because a repetition may create a second resource. */
function create(probe: Probe, id: OperationId, { values, send }: Creation): Promise<Exchange> {
  const { what = 'site', target = '' } = creations[id] ?? {};
  probe.created.causes.set(String(values[target] ?? ''), id);
  return untilSettled(probe, async () => {
    const { siteID: site } = values;
    const settle = announce(probe, { what, site, target: String(values[target] ?? '') });
    const exchange = await send(true);
    if (exchange.response.status === 202) probe.created.accepted.add(String(values[target]));
    const { read, isOfOthers } = readAnswer(probe, id, { exchange, siteID: site });
    // Only a proved id is recorded, so that the clean-up deletes nothing else.
    const named = isOfOthers || needsProof(probe, id) ? undefined : (read.id ?? read.version);
    // A key without a separate id may be its own id.
    const isKey = read.key === undefined && probe.secrets.has(String(read.id));
    settle(exchange, named, isKey ? read.id : read.key);
    return exchange;
  });
}

/** Most creations per kind, as announced to the user. Refusals do not count; failures and repetitions do. */
const most: { [Kind in ResourceKind]?: number } = { subscription: 30, 'API key': 14, 'published version': 6 };
export const mostOf = (what: ResourceKind): number => most[what] ?? 7;

/** Records a resource before its creation; the returned function takes the answer. Throws StepImpossible beyond the announced number. */
export function announce(
  probe: Probe,
  created: Pick<Thing, 'what' | 'site'> & { target: string },
): (exchange: Exchange, id: unknown, key?: unknown) => boolean {
  throwIfInterrupted(probe);
  const { resources } = probe.created;
  const before = resources.announced().filter(({ what }) => what === created.what);
  if (before.filter((one) => resources.fateOf(one) !== 'not-there').length >= mostOf(created.what))
    throw new StepImpossible(`a further ${created.what} would exceed the announced number`);
  const settle = resources.announce({ ...created, tenant: 'main' });
  return (exchange, id, key) => settle({ ...exchange, values: { id, key } });
}

/** Whether later calls would use the id although nothing proves yet that answers name the created resource. */
export function needsProof({ created }: Probe, id: OperationId): boolean {
  const creation = creations[id];
  return !created.proven.has(id) && creation !== undefined && canBeDeleted(creation);
}

function readAnswer(
  { seen, created, options }: Probe,
  id: OperationId,
  { exchange: { response }, siteID: site }: { exchange: Exchange; siteID: unknown },
) {
  const { ownership } = created.resources;
  const { layout } = seen.operations.get(id)?.success ?? {};
  const read = layout ? readValues(layout, response.json) : {};
  const { what } = creations[id] ?? {};
  if (what === undefined || read.id === undefined) return { read, isOfOthers: false };
  const thing = { what, id: read.id, site, tenant: 'main' } as const;
  const isGivenSite = [options.siteId, options.foreignSiteId].some((one) => isSameId(one, read.id));
  const isKnown = ownership.isShown(thing) && ['other', 'open'].includes(ownership.judge(thing));
  return { read, isOfOthers: isKnown || (what === 'site' && isGivenSite) };
}

/** Whether this discovery created a resource, as far as it can read. */
export async function isOwn(probe: Probe, thing: Thing): Promise<boolean> {
  return ['own', 'believed'].includes(await whoseIs(askerOf(probe), thing));
}

export function askerOf(
  probe: Probe,
  read = (id: OperationId, values: Record<string, unknown>): Promise<CallResult | undefined> =>
    callOperation(probe, id, values),
): Asker {
  return {
    resources: probe.created.resources,
    operations: probe.seen.operations,
    read: async (id, { what, id: own, site }) => {
      if (!isGiven(probe, id)) return false;
      const result = await read(id, { siteID: what === 'site' ? own : site, contentID: own });
      return result !== undefined && succeeded(result.exchange);
    },
    wait: async () => {
      await waitForNew(probe);
      return true;
    },
  };
}

/** Placeholders in path, query and body. */
export function placeholdersIn({ seen }: Probe, id: OperationId): string[] {
  const operation = seen.operations.get(id);
  return operation ? namesIn(operation) : [];
}

const mostPages = 10;

/** Undefined if no list is readable, or if it marks a resource of this run as deleted. `isWhole`: complete, with ids and names. */
export async function readOwnList(probe: Probe, { what, site }: Pick<Thing, 'what' | 'site'>) {
  const { list } = readingOf[what] ?? {};
  if (!list || !isGiven(probe, list)) return undefined;
  let left = mostPages;
  let isMarkedDeleted = false;
  const read = async (page = {}) => {
    left--;
    const { exchange, values } = await callOperation(probe, list, { siteID: site, ...page });
    isMarkedDeleted ||= saysDeleted(probe, exchange);
    return { ...exchange, values };
  };
  const listed = await settle(async () => {
    const first = await read();
    return readPages(probe.seen.operations.get(list), first, { send: read, isEnough: () => left === 0 });
  });
  if (listed.error || isMarkedDeleted) return undefined;
  const field = Object.values(creations).find((one) => one.what === what)?.target ?? '';
  const { items, isWhole } = listed.value();
  const things = items.map((item) => ({ id: item.id, name: item[field] }));
  const areKnown = things.every(({ id, name }) => id !== undefined && name !== undefined);
  return { things, isWhole: isWhole && areKnown };
}

/** Whether a member such as `deleted_at`, or a state, beside a name of this run says that it is deleted. */
export function saysDeleted({ runId }: Probe, { response }: Exchange): boolean {
  const leaves = answerLeaves(response.json);
  const named = leaves.filter(({ value }) => String(value).includes(runId));
  const holders = new Set(named.map(({ pointer }) => parentOf(pointer)));
  const isMarkedDeleted = ({ name, value }: JsonLeaf) =>
    /delet|remov|archiv|trash|revok|disabl/i.test(name)
      ? Boolean(value)
      : deletedState.test(String(value)) || (value === false && /^(is_?)?(active|enabled)$/i.test(name));
  return leaves.some((leaf) => holders.has(parentOf(leaf.pointer)) && isMarkedDeleted(leaf));
}

/** At most a few words, so that an event name does not match. */
const deletedState = /^[\w -]*(delet|remov|archiv|trash|revok|disabl|inactiv)\w*$/i;
