// What makes a write a repetition of another, the identical request or a key in a header, and whether two publishes without a change differ.
import { pastIdempotencyWindowMs } from '../../core/documented-limits.ts';
import { type Exchange, envelopeOf, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { deletionsIn } from '../../learn/learnt-findings.ts';
import { createOwn, creationBody, mayCall, sendCreation, subscriptionIdIn, urlOf } from '../ask/create.ts';
import { keepSession } from '../ask/keep-session.ts';
import { callOperation, isGiven, placeholdersIn } from '../ask/operations.ts';
import { findNeededName } from '../names/likely.ts';
import { markOf, mayWait, type Probe } from '../probe.ts';
import { tryOne } from '../tries/try.ts';

/** A write that can be repeated; another mark makes another write. The result identifies what was created. */
type Write = (
  mark: string,
  headers: Record<string, string>,
) => Promise<{ exchange: Exchange; result: unknown }>;

const repetitionGap = 'idempotency.repetition';
const headerGap = 'idempotency.key-header';
const traceGap = 'idempotency.trace';
const likelyHeaders = ['Idempotency-Key', 'X-Idempotency-Key', 'X-Request-Id', 'X-Request-Key'] as const;

/** Whether a header is among those that are tried. */
export function isLikelyHeader(name: string): boolean {
  return likelyHeaders.some((one) => one.toLowerCase() === name.toLowerCase());
}

/** The headers whose key makes the second call of a mark a repetition, as far as that is known. */
function keyHeaders({ findings }: Probe): readonly string[] {
  if (findings.value(repetitionGap) === 'identical-request') return [];
  const known = findings.value(headerGap);
  return known === undefined ? likelyHeaders : [String(known)];
}

function withKey(names: readonly string[], mark: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `sitepub-${mark}`]));
}

/**
 * Sends a write twice at once, and finds out what makes it a repetition. Undefined where it is refused; where it has the result that an earlier, other
 * write had (`before`), a repetition would show nothing.
 */
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

/** Repeats a write without a key, and then with half of the headers each time, of which hardly any creates something. */
async function findRule(
  { findings }: Probe,
  all: readonly string[],
  repeat: (names: readonly string[]) => Promise<boolean | undefined>,
): Promise<undefined> {
  const isPlain = findings.value(repetitionGap) === 'key-header' ? false : await repeat([]);
  if (isPlain === undefined) return;
  if (isPlain) {
    const evidence = 'the same request, sent twice at once, had one result';
    return findings.found(repetitionGap, 'identical-request', evidence);
  }
  const name = await findNeededName(all, repeat);
  if (name === undefined) return;
  const evidence = `only with the same key in ${name}, the same request had one result`;
  findings.found(repetitionGap, 'key-header', evidence);
  findings.found(headerGap, name, evidence);
}

function findTrace({ findings }: Probe, first: Exchange, second: Exchange): void {
  const isSame = envelopeOf(first).trace_id === envelopeOf(second).trace_id;
  const evidence = `a repetition was answered with ${isSame ? 'the same' : 'a new'} trace_id`;
  findings.found(traceGap, isSame ? 'same' : 'new', evidence);
}

const subscriptionsGap = 'idempotency.subscriptions';

/** Repeats the creation of a subscription at once, and where no repetition was recognised yet, that of a site. */
export async function probeIdempotency(probe: Probe): Promise<undefined> {
  const { findings } = probe;
  const repetition = await repeatWrite(probe, createSubscription(probe));
  if (repetition?.isSame) {
    const evidence = 'the same creation, sent twice at once, created one subscription';
    return findings.found(subscriptionsGap, 'repeated', evidence);
  }
  for (const write of otherWrites(probe))
    if (!findings.has(traceGap) && (await repeatWrite(probe, write))) break;
  if (repetition && findings.has(repetitionGap)) {
    const evidence = 'the same creation, sent twice at once, created two subscriptions';
    findings.found(subscriptionsGap, 'separate', evidence);
  }
  const hasWrites = isGiven(probe, 'publishSite') || siteWrites(probe).length > 0;
  findings.missed([subscriptionsGap, traceGap], hasWrites ? unrecognised : noWrite);
}

const unrecognised =
  'the repetition of a creation was not recognised; idempotency.repetition and idempotency.key-header say how one is';
const noWrite =
  'it needs an idempotent write; state operation.create-site, operation.import-site or operation.publish-site in a profile and give it with --profile';

function createSubscription(probe: Probe): Write {
  return async (mark, headers) => {
    await keepSession(probe);
    const target = urlOf(probe, `/sitepub/${probe.runId}/again-${mark}`);
    const body = creationBody(probe, { url: target, events: ['publish.failed'], channel: 'custom' });
    const exchange = await sendCreation(probe, body, { target, headers, isOnce: true });
    return { exchange, result: subscriptionIdIn(probe, exchange) };
  };
}

/** Where nothing deletes sites, they stay for good, as was announced: then publishes have been repeated before. */
function otherWrites(probe: Probe): Write[] {
  const isLeft = probe.findings.value(unchangedGap) === 'new-version' && makesSites(probe);
  return [...siteWrites(probe), ...(isLeft ? [publishOf(probe, probe.options.siteId)] : [])];
}

function siteWrites(probe: Probe): Write[] {
  // A deletion that was known beforehand, and failed, was announced.
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

/** How long a publish may hide that another one is under way, in milliseconds. */
const publishMs = 6_000;

const unchangedGap = 'publish.unchanged';

/** Publishes twice, with other notes and nothing changed between. Where no site can be created, the second is repeated. */
export async function probePublishing(probe: Probe): Promise<undefined> {
  const siteID = probe.created.site ?? probe.options.siteId;
  const differs = placeholdersIn(probe, 'publishSite').includes('note');
  // Where nothing differs between two calls, the second is a repetition of the first for a while.
  const pauseMs = differs ? publishMs : pastIdempotencyWindowMs;
  const { version } =
    (await tryOne(probe, 'publishSite', { siteID, note: `sitepub-${markOf(probe)}` }))?.values ?? {};
  if (version !== undefined && isGiven(probe, 'getPublish'))
    await tryOne(probe, 'getPublish', { siteID, version });
  if (version === undefined)
    return probe.findings.missed([unchangedGap], 'a publish was refused, or its answer shows no version');
  if (!differs && !mayWait(probe, pauseMs)) return probe.findings.missed([unchangedGap], sameCalls);
  await probe.clock.pass(pauseMs, 'a publish to end');
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
  'two calls of operation.publish-site are the same, for its body has no {note}; run with --max-wait 31s';

function findUnchanged({ findings }: Probe, before: unknown, after: unknown): undefined {
  if (before === undefined || after === undefined)
    return findings.missed([unchangedGap], 'a publish was refused, or its answer shows no version');
  findings.found(
    unchangedGap,
    isSameId(before, after) ? 'same-version' : 'new-version',
    `two different publishes without a change between them had the versions ${before} and ${after}`,
  );
}
