// Calls of the operations that are given or learnt, and what their answers show; no other path is ever called.
import {
  namesIn,
  type Operation,
  type OperationId,
  writeQuery,
  writeRequest,
} from '../../../openapi/operations.ts';
import { fillPath } from '../../../openapi/template.ts';
import { type Asker, changedBy, whoseIs } from '../../calls/own-things.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { readValues } from '../../core/read-values.ts';
import { canBeDeleted, creations } from '../../deployment/created-resources.ts';
import type { ResourceKind, Thing } from '../../deployment/shown-things.ts';
import { completeLine } from '../../learn/learnt-findings.ts';
import { operationsIn, type Probe, StepImpossible } from '../probe.ts';
import { keepSession } from './keep-session.ts';
import { sendRequest, throwIfInterrupted, untilSettled, waitForNew } from './send.ts';

/** An exchange, and what was read from its answer. */
export interface CallResult {
  exchange: Exchange;
  /** Values of the answer by name, as far as the profile says where they are. */
  values: Readonly<Record<string, unknown>>;
  /** Whether what a creation says that it created was there before: the identifier in its answer is looked for in the wrong place. */
  isOfOthers: boolean;
  /** Whether nothing shows that what a creation names is what it has created. */
  isUnproven?: boolean;
  /** Whether what a deletion names can be read afterwards; undefined where nothing shows that. */
  isStillThere?: boolean | undefined;
}

/** Whether it is known how to call an operation, and there is what it takes. */
export function isGiven(probe: Probe, id: OperationId | undefined): boolean {
  const operation = id && probe.seen.operations.get(id);
  return operation !== undefined && (operation.auth === 'none' || tokenFor(probe, operation) !== undefined);
}

/** The session token, or the API key before there is one; where an operation takes one of them only, that. */
function tokenFor(
  { session: { token }, options: { apiKey } }: Probe,
  { auth }: Operation,
): string | undefined {
  if (auth === 'none') return undefined;
  if (auth === 'api-key') return apiKey;
  return auth === 'session' && token === apiKey ? undefined : token;
}

/** Calls an operation on the site, as the tenant's user. What it creates is recorded before. Throws StepImpossible where it would change what others have. */
export async function callOperation(
  probe: Probe,
  id: OperationId,
  values: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<CallResult> {
  const { seen, created, options } = probe;
  const operation = seen.operations.get(id);
  if (!operation) throw new Error(`nothing says how to call ${id}`);
  await keepSession(probe);
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

/** Notes that an operation was called, whatever came of it. */
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
      throw new StepImpossible(`nothing shows that ${thing.what} ${thing.id} is what this run created`);
}

interface Creation {
  values: Readonly<Record<string, unknown>>;
  send(isOnce: boolean): Promise<Exchange>;
}

/** Sends a creation, and records each of its requests: a repetition may create a second one, of which nobody would know. */
function create(probe: Probe, id: OperationId, { values, send }: Creation): Promise<Exchange> {
  const { what = 'site', target = '' } = creations[id] ?? {};
  probe.created.causes.set(String(values[target] ?? ''), id);
  return untilSettled(probe, async () => {
    const { siteID: site } = values;
    const settle = announce(probe, { what, site, target: String(values[target] ?? '') });
    const exchange = await send(true);
    if (exchange.response.status === 202) probe.created.accepted.add(String(values[target]));
    const { read, isOfOthers } = readAnswer(probe, id, { exchange, siteID: site });
    // What it names is recorded when it is proved, so that nothing else is ever deleted.
    const named = isOfOthers || needsProof(probe, id) ? undefined : (read.id ?? read.version);
    // What looks like a key, without another one beside it, may be its own identifier.
    const isKey = read.key === undefined && probe.secrets.has(String(read.id));
    settle(exchange, named, isKey ? read.id : read.key);
    return exchange;
  });
}

/** How many of each kind a discovery creates at most, as it says before. Refusals do not count; failures and repetitions do. */
const most: { [Kind in ResourceKind]?: number } = { subscription: 30, 'API key': 14, 'published version': 6 };
export const mostOf = (what: ResourceKind): number => most[what] ?? 7;

/** Records a resource before its creation; the returned function expects the answer and the identifier in it. Throws StepImpossible beyond what was announced. */
export function announce(
  probe: Probe,
  created: Pick<Thing, 'what' | 'site'> & { target: string },
): (exchange: Exchange, id: unknown, key?: unknown) => boolean {
  throwIfInterrupted(probe);
  const { resources } = probe.created;
  const before = resources.announced().filter(({ what }) => what === created.what);
  if (before.filter((one) => resources.fateOf(one) !== 'not-there').length >= mostOf(created.what))
    throw new StepImpossible(`it would create more of the kind ${created.what} than was announced`);
  const settle = resources.announce({ ...created, tenant: 'main' });
  return (exchange, id, key) => settle({ ...exchange, values: { id, key } });
}

/** Whether nothing has shown yet that an answer names what was created, which is changed and deleted by that. */
export function needsProof({ created }: Probe, id: OperationId): boolean {
  const creation = creations[id];
  return !created.proven.has(id) && creation !== undefined && canBeDeleted(creation);
}

/** The values of an answer, and whether what it names was there before. */
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

/** The placeholders in the path, the query and the body of an operation. */
export function placeholdersIn({ seen }: Probe, id: OperationId): string[] {
  const operation = seen.operations.get(id);
  return operation ? namesIn(operation) : [];
}
