// Calls of the operations that are given or learnt; no other path is ever called.
import {
  namesIn,
  type Operation,
  type OperationId,
  writeQuery,
  writeRequest,
} from '../../openapi/operations.ts';
import { fillPath } from '../../openapi/template.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { readValues } from '../core/read-values.ts';
import { canBeDeleted, creations } from '../deployment/created-resources.ts';
import { type Probe, recordCreation } from './discovery-probe.ts';
import { keepSession } from './probes/probe-expiry.ts';
import { sendRequest, untilSettled } from './send-request.ts';
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
  const { read, isOfOthers } = readAnswer(probe, id, exchange);
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
    const { read, isOfOthers } = readAnswer(probe, id, exchange);
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
function readAnswer({ operations, ofOthers }: Probe, id: OperationId, { response }: Exchange) {
  const { layout } = operations.get(id)?.success ?? {};
  const read = layout ? readValues(layout, response.json) : {};
  const { what } = creations[id] ?? {};
  return { read, isOfOthers: what !== undefined && (ofOthers.get(what)?.has(String(read.id)) ?? false) };
}

/** The placeholders in the path, the query and the body of an operation. */
export function placeholdersIn(probe: Probe, id: OperationId): string[] {
  const operation = probe.operations.get(id);
  return operation ? namesIn(operation) : [];
}
