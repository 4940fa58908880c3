// Calls of the operations that are given or learnt; no other path is ever called.
import {
  namesIn,
  type Operation,
  type OperationId,
  writeQuery,
  writeRequest,
} from '../../openapi/operations.ts';
import { fillPath } from '../../openapi/template.ts';
import { type Asker, changedBy, whoseIs } from '../calls/own-things.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { isSameId } from '../core/parse-json.ts';
import { readValues } from '../core/read-values.ts';
import { canBeDeleted, creations } from '../deployment/created-resources.ts';
import type { Thing } from '../deployment/shown-things.ts';
import { type Probe, recordCreation } from './discovery-probe.ts';
import { keepSession } from './probes/probe-expiry.ts';
import { newMs, sendRequest, untilSettled } from './send-request.ts';
import { completeLearnt } from './tries/complete-learnt.ts';

/** An exchange, and what was read from its answer. */
export interface CallResult {
  exchange: Exchange;
  /** Values of the answer by name, as far as the profile says where they are. */
  values: Readonly<Record<string, unknown>>;
  /** Whether what a creation says that it created was there before: the identifier in its answer is looked for in the wrong place. */
  isOfOthers: boolean;
}

/** Whether it is known how to call an operation, and there is what it takes. */
export function isGiven(probe: Probe, id: OperationId): boolean {
  const operation = probe.operations.get(id);
  return operation !== undefined && (operation.auth === 'none' || tokenFor(probe, operation) !== undefined);
}

/** The session token, or the API key before there is one; where an operation takes one of them only, that. */
function tokenFor({ token, options: { apiKey } }: Probe, { auth }: Operation): string | undefined {
  if (auth === 'none') return undefined;
  if (auth === 'api-key') return apiKey;
  return auth === 'session' && token === apiKey ? undefined : token;
}

/** Calls an operation on the site, as the tenant's user. What it creates is recorded before. */
export async function callOperation(
  probe: Probe,
  id: OperationId,
  values: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<CallResult> {
  const operation = probe.operations.get(id);
  if (!operation) throw new Error(`nothing says how to call ${id}`);
  await keepSession(probe);
  const all = { siteID: probe.options.siteId, ...values };
  for (const thing of changedBy(operation, all, { tenant: 'main', given: [probe.options.siteId] }))
    if (!(await isOwn(probe, thing)))
      throw new NotVerified(`nothing shows that ${thing.what} ${String(thing.id)} is what this run created`);
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
    if (operation.gap !== undefined) probe.called.add(operation.gap);
    completeLearnt(probe, operation, exchange);
    return exchange;
  };
  const exchange = creations[id] ? await create(probe, id, { values: all, send }) : await send(false);
  const { read, isOfOthers } = readAnswer(probe, id, { exchange, siteID: all.siteID });
  const known = probe.operations.get(id) ?? operation;
  probe.resources.ownership.noteRead(known, { ...exchange, values: read }, { values: all, tenant: 'main' });
  probe.secrets.add('SITEPUB_CREATED_KEY', read.key);
  const hasSucceeded = succeeded(exchange);
  return { exchange, values: hasSucceeded ? read : {}, isOfOthers: hasSucceeded && isOfOthers };
}

interface Creation {
  values: Readonly<Record<string, unknown>>;
  send(isOnce: boolean): Promise<Exchange>;
}

/** Sends a creation, and records each of its requests: a repetition may create a second one, of which nobody would know. */
function create(probe: Probe, id: OperationId, { values, send }: Creation): Promise<Exchange> {
  const { what = 'site', target = '' } = creations[id] ?? {};
  return untilSettled(probe, async () => {
    const settle = recordCreation(probe, { what, site: values.siteID, target: String(values[target] ?? '') });
    const exchange = await send(true);
    const { read, isOfOthers } = readAnswer(probe, id, { exchange, siteID: values.siteID });
    // What it names is recorded when it is proved, so that nothing else is ever deleted.
    settle(exchange, isOfOthers || needsProof(probe, id) ? undefined : (read.id ?? read.version));
    return exchange;
  });
}

/** Whether nothing has shown yet that an answer names what was created, which is changed and deleted by that. */
export function needsProof({ proven }: Probe, id: OperationId): boolean {
  const creation = creations[id];
  return !proven.has(id) && creation !== undefined && canBeDeleted(creation);
}

/** The values of an answer, and whether what it names was there before. */
function readAnswer(
  { operations, resources: { ownership }, options }: Probe,
  id: OperationId,
  { exchange: { response }, siteID: site }: { exchange: Exchange; siteID: unknown },
) {
  const { layout } = operations.get(id)?.success ?? {};
  const read = layout ? readValues(layout, response.json) : {};
  const { what } = creations[id] ?? {};
  if (what === undefined || read.id === undefined) return { read, isOfOthers: false };
  const thing = { what, id: read.id, site, tenant: 'main' } as const;
  const isGivenSite = [options.siteId, options.foreignSiteId].some((one) => isSameId(one, read.id));
  const isKnown = ownership.isShown(thing) && ['other', 'open'].includes(ownership.judge(thing));
  return { read, isOfOthers: isKnown || (what === 'site' && isGivenSite) };
}

/** Whether a thing is what this discovery created, as far as can be read. */
export async function isOwn(probe: Probe, thing: Thing): Promise<boolean> {
  return ['own', 'believed'].includes(await whoseIs(askerOf(probe), thing));
}

/** `read`: how an operation is called. */
export function askerOf(
  probe: Probe,
  read = (id: OperationId, values: Record<string, unknown>): Promise<CallResult | undefined> =>
    callOperation(probe, id, values),
): Asker {
  const { resources, operations, clock } = probe;
  return {
    resources,
    operations,
    read: async (id, { what, id: own, site }) => {
      if (!isGiven(probe, id)) return false;
      const result = await read(id, { siteID: what === 'site' ? own : site, contentID: own });
      return result !== undefined && succeeded(result.exchange);
    },
    wait: async () => {
      await clock.pass(newMs, 'something new to be known everywhere');
      return true;
    },
  };
}

/** The placeholders in the path, the query and the body of an operation. */
export function placeholdersIn(probe: Probe, id: OperationId): string[] {
  const operation = probe.operations.get(id);
  return operation ? namesIn(operation) : [];
}
