// Finds how the deployment recognises repeated writes, and whether two publishes without a change differ.
import { pastIdempotencyWindowMs } from '../../core/documented-limits.ts';
import { type Exchange, envelopeOf, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { deletionsIn } from '../../learn/learnt-findings.ts';
import { createOwn, creationBody, mayCall, sendCreation, subscriptionIdIn, urlOf } from '../ask/create.ts';
import { ensureSession } from '../ask/log-in.ts';
import { callOperation, isGiven, placeholdersIn } from '../ask/operations.ts';
import { findNeededName } from '../names/likely.ts';
import { markOf, mayWait, type Probe } from '../probe.ts';
import { tryOne } from '../tries/try.ts';

/** Another mark makes another write. `result` identifies the created resource. */
type Write = (
  mark: string,
  headers: Record<string, string>,
) => Promise<{ exchange: Exchange; result: unknown }>;

const repetitionGap = 'idempotency.repetition';
const headerGap = 'idempotency.key-header';
const traceGap = 'idempotency.trace';
const likelyHeaders = ['Idempotency-Key', 'X-Idempotency-Key', 'X-Request-Id', 'X-Request-Key'] as const;

export function isLikelyHeader(name: string): boolean {
  return likelyHeaders.some((one) => one.toLowerCase() === name.toLowerCase());
}

/** Headers that may carry the idempotency key. */
function keyHeaders({ findings }: Probe): readonly string[] {
  if (findings.value(repetitionGap) === 'identical-request') return [];
  const known = findings.value(headerGap);
  return known === undefined ? likelyHeaders : [String(known)];
}

function withKey(names: readonly string[], mark: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `sitepub-${mark}`]));
}

/** Sends a write twice in a row. Undefined if refused. A repetition proves nothing if the result equals the result of an earlier write (`before`). */
async function repeatWrite(probe: Probe, write: Write, before?: unknown) {
  const mark = markOf(probe);
  const names = keyHeaders(probe);
  const { exchange: first, result } = await write(mark, withKey(names, mark));
  if (!succeeded(first) || result === undefined) return undefined;
  if (before !== undefined && isSameId(before, result)) return { result, isSame: false };
  const repeat = async (some: readonly string[]) => {
    const again = await write(mark, withKey(some, mark));
    if (!succeeded(again.exchange)) return undefined;
    const isSame = isSameId(again.result, result);
    if (isSame) findTrace(probe, first, again.exchange);
    return isSame;
  };
  const isSame = await repeat(names);
  if (isSame && names.length > 0) await findRule(probe, names, repeat);
  return isSame === undefined ? undefined : { result, isSame };
}

/** Repeats a write without a key, then searches the header by halving, which creates few resources. */
async function findRule(
  { findings }: Probe,
  all: readonly string[],
  repeat: (names: readonly string[]) => Promise<boolean | undefined>,
): Promise<undefined> {
  const isPlain = findings.value(repetitionGap) === 'key-header' ? false : await repeat([]);
  if (isPlain === undefined) return;
  if (isPlain) {
    const evidence = 'two identical requests in a row had one result';
    return findings.found(repetitionGap, 'identical-request', evidence);
  }
  const name = await findNeededName(all, repeat);
  if (name === undefined) return;
  const evidence = `identical requests had one result only with the same key in ${name}`;
  findings.found(repetitionGap, 'key-header', evidence);
  findings.found(headerGap, name, evidence);
}

function findTrace({ findings }: Probe, first: Exchange, second: Exchange): void {
  const isSame = envelopeOf(first).trace_id === envelopeOf(second).trace_id;
  const evidence = `the answer to a repetition had ${isSame ? 'the same' : 'a new'} trace_id`;
  findings.found(traceGap, isSame ? 'same' : 'new', evidence);
}

const subscriptionsGap = 'idempotency.subscriptions';

/** Repeats the creation of a subscription, then of a site if the deployment recognised no repetition. */
export async function probeIdempotency(probe: Probe): Promise<undefined> {
  const { findings } = probe;
  const repetition = await repeatWrite(probe, createSubscription(probe));
  if (repetition?.isSame) {
    const evidence = 'two identical creations in a row created one subscription';
    return findings.found(subscriptionsGap, 'repeated', evidence);
  }
  for (const write of otherWrites(probe))
    if (!findings.has(traceGap) && (await repeatWrite(probe, write))) break;
  if (repetition && findings.has(repetitionGap)) {
    const evidence = 'two identical creations in a row created two subscriptions';
    findings.found(subscriptionsGap, 'separate', evidence);
  }
  const hasWrites = isGiven(probe, 'publishSite') || siteWrites(probe).length > 0;
  findings.missed([subscriptionsGap, traceGap], hasWrites ? unrecognised : noWrite);
}

const unrecognised =
  'the deployment did not recognise a repeated creation; state idempotency.repetition and idempotency.key-header if you know them';
const noWrite =
  'needs an idempotent write; state operation.create-site, operation.import-site or operation.publish-site in a profile and pass --profile';

function createSubscription(probe: Probe): Write {
  return async (mark, headers) => {
    await ensureSession(probe);
    const target = urlOf(probe, `/sitepub/${probe.runId}/again-${mark}`);
    const body = creationBody(probe, { url: target, events: ['publish.failed'], channel: 'custom' });
    const exchange = await sendCreation(probe, body, { target, headers, isOnce: true });
    return { exchange, result: subscriptionIdIn(probe, exchange) };
  };
}

/** If no operation deletes sites, they stay, so a publish is repeated instead. */
function otherWrites(probe: Probe): Write[] {
  const isLeft = probe.findings.value(unchangedGap) === 'new-version' && makesSites(probe);
  return [...siteWrites(probe), ...(isLeft ? [publishOf(probe, probe.options.siteId)] : [])];
}

function siteWrites(probe: Probe): Write[] {
  // The plan announced a deletion that later failed.
  const mayStay = !deletionsIn(probe.options.learning).some(({ gap }) => gap.id === 'operation.delete-site');
  return (['createSite', 'importSite'] as const)
    .filter((id) => mayCall(probe, id, mayStay))
    .map((id) => async (mark, headers) => {
      const values = { name: `sitepub-${mark}`, source: `https://sites.example.com/${mark}` };
      const created = await createOwn(probe, id, values, headers);
      return { exchange: created.exchange, result: created.values.id ?? created.values.version };
    });
}

const makesSites = (probe: Probe) => isGiven(probe, 'deleteSite') && siteWrites(probe).length > 0;

/** How long a publish may run, in milliseconds. */
const publishMs = 6_000;

const unchangedGap = 'publish.unchanged';

/** Publishes twice with no change between. Repeats the second publish if discovery can create no site. */
export async function probePublishing(probe: Probe): Promise<undefined> {
  const siteID = probe.created.site ?? probe.options.siteId;
  const differs = placeholdersIn(probe, 'publishSite').includes('note');
  // Two identical calls count as a repetition within the idempotency window.
  const pauseMs = differs ? publishMs : pastIdempotencyWindowMs;
  const { version } =
    (await tryOne(probe, 'publishSite', { siteID, note: `sitepub-${markOf(probe)}` }))?.values ?? {};
  if (version !== undefined && isGiven(probe, 'getPublish'))
    await tryOne(probe, 'getPublish', { siteID, version });
  if (version === undefined)
    return probe.findings.missed(
      [unchangedGap],
      'the deployment refused a publish, or its answer has no version',
    );
  if (!differs && !mayWait(probe, pauseMs)) return probe.findings.missed([unchangedGap], sameCalls);
  await probe.clock.pass(pauseMs, 'the end of a publish');
  const publish = publishOf(probe, siteID);
  const repetition = makesSites(probe) ? undefined : await repeatWrite(probe, publish, version);
  findUnchanged(probe, version, repetition?.result ?? (await publish(markOf(probe), {})).result);
}

function publishOf(probe: Probe, siteID: unknown): Write {
  return async (mark, headers) => {
    const call = await callOperation(probe, 'publishSite', { siteID, note: `sitepub-${mark}` }, headers);
    return { exchange: call.exchange, result: call.values.version };
  };
}

const sameCalls =
  'two calls of operation.publish-site are identical, because its body has no {note}; run with --max-wait 31s';

function findUnchanged({ findings }: Probe, before: unknown, after: unknown): undefined {
  if (before === undefined || after === undefined)
    return findings.missed([unchangedGap], 'the deployment refused a publish, or its answer has no version');
  findings.found(
    unchangedGap,
    isSameId(before, after) ? 'same-version' : 'new-version',
    `two publishes without a change between them had the versions ${before} and ${after}`,
  );
}
