// Repeated creations: whether that of a subscription is idempotent, and the trace_id of a repetition.
import { envelopeOf } from '../../core/exchange.ts';
import { createOwn, creationBody, mayCall, sendCreation, subscriptionIdIn, urlOf } from '../ask/create.ts';
import { isGiven } from '../ask/operations.ts';
import { type Probe, reportProgress } from '../probe.ts';
import { publish } from './publishing.ts';
import { type Repetition, repeatWrite, type Write, type WriteResult } from './repetition.ts';

const traceGap = 'idempotency.trace';
const subscriptionsGap = 'idempotency.subscriptions';

/** Repeats a creation at once, and where that shows nothing other writes. */
export async function probeIdempotency(probe: Probe): Promise<undefined> {
  reportProgress(probe, 'repeating a creation');
  const { findings } = probe;
  const creation: Write = (...how) => createSubscription(probe, ...how);
  const repetition = await repeatWrite(probe, creation);
  if (repetition?.isSame) {
    const evidence = 'the same creation, sent twice at once, created one subscription';
    findings.found(subscriptionsGap, 'repeated', evidence);
    return findTrace(probe, repetition);
  }
  const others = otherWrites(probe);
  const recognised = await findRecognised(probe, others);
  // A repetition that is not recognised shows something only when it is known how one is recognised.
  if (repetition && (recognised || findings.has('idempotency.repetition')))
    findings.found(
      subscriptionsGap,
      'separate',
      'the same creation, sent twice at once, created two subscriptions',
    );
  findings.missed([subscriptionsGap], unrecognised);
  if (recognised) return findTrace(probe, recognised);
  findings.missed([traceGap], others.length > 0 ? unrecognised : noWrite);
}

const unrecognised =
  'the repetition of a creation was not recognised; idempotency.repetition and idempotency.key-header say how one is';
const noWrite =
  'it needs an idempotent write; state operation.create-site, operation.import-site or operation.publish-site in a profile and give it with --profile';

async function findRecognised(probe: Probe, writes: readonly Write[]): Promise<Repetition | undefined> {
  for (const write of writes) {
    const repetition = await repeatWrite(probe, write);
    if (repetition?.isSame) return repetition;
  }
  return undefined;
}

function findTrace({ findings }: Probe, { first, second }: Repetition): undefined {
  const isSame = envelopeOf(first).trace_id === envelopeOf(second).trace_id;
  const evidence = `a repetition was answered with ${isSame ? 'the same' : 'a new'} trace_id`;
  findings.found(traceGap, isSame ? 'same' : 'new', evidence);
}

async function createSubscription(
  probe: Probe,
  mark: string,
  headers: Record<string, string>,
): Promise<WriteResult> {
  const target = urlOf(probe, `/sitepub/${probe.runId}/again-${mark}`);
  const body = creationBody(probe, { url: target, events: ['publish.failed'], channel: 'custom' });
  const exchange = await sendCreation(probe, body, { target, headers, isOnce: true });
  return { exchange, result: subscriptionIdIn(probe, exchange) };
}

/** The other idempotent writes that are given, first the one that leaves the least behind. */
function otherWrites(probe: Probe): Write[] {
  const ids = (['createSite', 'importSite'] as const).filter((id) => mayCall(probe, id));
  const sites = ids.map((id) => creationOf(probe, id));
  // Publishes of a site without changes may have one version, whatever they are called with: then it shows no repetition.
  const isTold = probe.findings.value('publish.unchanged') === 'new-version';
  const publishing: Write = (...how) => publish(probe, ...how);
  const publishes = isTold && isGiven(probe, 'publishSite') ? [publishing] : [];
  // Sites that nothing deletes stay for good.
  return isGiven(probe, 'deleteSite') ? [...sites, ...publishes] : [...publishes, ...sites];
}

function creationOf(probe: Probe, id: 'createSite' | 'importSite'): Write {
  return async (mark, headers) => {
    const values = { name: `sitepub-${mark}`, source: `https://sites.example.com/${mark}` };
    const created = await createOwn(probe, id, values, headers);
    return { exchange: created.exchange, result: created.values.id ?? created.values.version };
  };
}
