// Repeated creations: whether that of a subscription is idempotent, and the trace_id of a repetition.
import { envelopeOf, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { isGiven } from '../call-operations.ts';
import { createOwn } from '../create-own.ts';
import { type Probe, reportProgress, urlOf } from '../discovery-probe.ts';
import { creationBody, sendCreation } from '../send-creation.ts';
import { type Repetition, repeatWrite, type Write, type WriteResult } from './probe-repetition.ts';
import { makeRoom, subscriptionIdIn } from './probe-subscription.ts';

const traceGap = 'idempotency.trace';
const subscriptionsGap = 'idempotency.subscriptions';

/** Repeats a creation at once. Returns an idempotent write, if there is one. */
export async function probeIdempotency(probe: Probe): Promise<Write | undefined> {
  reportProgress(probe, 'repeating a creation');
  const { findings } = probe;
  const creation: Write = (...how) => createSubscription(probe, ...how);
  const repetition = await repeatWrite(probe, creation);
  if (repetition?.isSame) {
    findings.found(
      subscriptionsGap,
      'repeated',
      'the same creation, sent twice at once, created one subscription',
    );
    return findTrace(probe, repetition, creation);
  }
  const recognised = await findRecognised(probe);
  // A repetition that is not recognised shows something only when it is known how one is recognised.
  if (repetition && (recognised || findings.has('idempotency.repetition')))
    findings.found(
      subscriptionsGap,
      'separate',
      'the same creation, sent twice at once, created two subscriptions',
    );
  findings.missed([subscriptionsGap], unrecognised);
  if (recognised) return findTrace(probe, recognised.repetition, recognised.write);
  findings.missed([traceGap], otherWrites(probe).length > 0 ? unrecognised : noWrite);
  return undefined;
}

const unrecognised =
  'the repetition of a creation was not recognised; idempotency.repetition and idempotency.key-header say how one is';
const noWrite =
  'it needs an idempotent write; state operation.create-site, operation.import-site or operation.publish-site in a profile and give it with --profile';

async function findRecognised(probe: Probe): Promise<{ repetition: Repetition; write: Write } | undefined> {
  for (const write of otherWrites(probe)) {
    if (await isSameAnyway(write, probe.runId)) continue;
    const repetition = await repeatWrite(probe, write);
    if (repetition?.isSame) return { repetition, write };
  }
  return undefined;
}

/** Publishes of a site without changes may have one version, whatever they are called with: then it shows no repetition. */
async function isSameAnyway(write: Write & { isPublish?: boolean }, runId: string): Promise<boolean> {
  if (!write.isPublish) return false;
  const one = await write(`${runId}-one`, {});
  const other = await write(`${runId}-other`, {});
  return succeeded(one.exchange) && succeeded(other.exchange) && isSameId(one.result, other.result);
}

function findTrace({ findings }: Probe, { first, second }: Repetition, write: Write): Write {
  const isSame = envelopeOf(first).trace_id === envelopeOf(second).trace_id;
  const evidence = `a repetition was answered with ${isSame ? 'the same' : 'a new'} trace_id`;
  findings.found(traceGap, isSame ? 'same' : 'new', evidence);
  return write;
}

async function createSubscription(
  probe: Probe,
  mark: string,
  headers: Record<string, string>,
): Promise<WriteResult> {
  const target = urlOf(probe, `/sitepub/${probe.runId}/again-${mark}`);
  const body = creationBody(probe, { url: target, events: ['publish.failed'], channel: 'custom' });
  const send = () => sendCreation(probe, body, { target, headers, isOnce: true });
  const first = await send();
  const exchange = !succeeded(first) && (await makeRoom(probe)) ? await send() : first;
  return { exchange, result: subscriptionIdIn(probe, exchange) };
}

/** The other idempotent writes that are given, first the one that leaves the least behind. */
function otherWrites(probe: Probe): (Write & { isPublish: boolean })[] {
  const name = (mark: string) => `sitepub-${mark}`;
  const source = (mark: string) => `https://sites.example.com/${mark}`;
  const sites = [
    isGiven(probe, 'createSite') && write(probe, 'createSite', (mark) => ({ name: name(mark) })),
    isGiven(probe, 'importSite') &&
      write(probe, 'importSite', (mark) => ({ name: name(mark), source: source(mark) })),
  ];
  const versions = [
    isGiven(probe, 'publishSite') && write(probe, 'publishSite', (mark) => ({ note: name(mark) })),
  ];
  // Sites that nothing deletes stay for good.
  const inOrder = isGiven(probe, 'deleteSite') ? [...sites, ...versions] : [...versions, ...sites];
  return inOrder.filter((one) => one !== false);
}

function write(
  probe: Probe,
  id: 'createSite' | 'importSite' | 'publishSite',
  valuesOf: (mark: string) => Record<string, unknown>,
): Write & { isPublish: boolean } {
  const send: Write = async (mark, headers) => {
    const { exchange, values } = await createOwn(probe, id, valuesOf(mark), headers);
    return { exchange, result: values.id ?? values.version };
  };
  return Object.assign(send, { isPublish: id === 'publishSite' });
}
