// Publishes of one site without a change between them.
import { pastIdempotencyWindowMs } from '../../core/documented-limits.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { callOperation, isGiven, placeholdersIn } from '../call-operations.ts';
import { type Probe, reportProgress } from '../discovery-probe.ts';
import { untilTaken } from '../send-request.ts';

/** How long a publish may hide that another one is under way, in milliseconds. */
const publishMs = 6_000;

const unchangedGap = 'publish.unchanged';

/** Publishes twice, with other notes and nothing changed between. */
export async function probePublishing(probe: Probe): Promise<undefined> {
  if (!isGiven(probe, 'publishSite')) return undefined;
  reportProgress(probe, 'publishing a site without changes');
  const differs = placeholdersIn(probe, 'publishSite').includes('note');
  // Where nothing differs between two calls, the second is a repetition of the first for a while.
  const pauseMs = differs ? publishMs : pastIdempotencyWindowMs;
  if (!differs && !probe.clock.isMoved && probe.options.maxWaitMs < pauseMs)
    return probe.findings.missed([unchangedGap], sameCalls);
  if (!differs) await probe.clock.pass(pauseMs, 'the end of the idempotency window of a publish');
  // Another publish may be under way.
  const first = await untilTaken(
    probe,
    () => publish(probe, 'first'),
    ({ exchange }) => succeeded(exchange),
  );
  await probe.clock.pass(pauseMs, 'a publish to end');
  findUnchanged(probe, first.version, (await publish(probe, 'second')).version);
}

const sameCalls =
  'two calls of operation.publish-site are the same, for its body has no {note}; run with --max-wait 31s';

interface Publish {
  exchange: Exchange;
  version: unknown;
}

async function publish(probe: Probe, which: string): Promise<Publish> {
  const note = `sitepub-${probe.runId} ${which} publish`;
  const { exchange, values } = await callOperation(probe, 'publishSite', { note });
  return { exchange, version: values.version };
}

function findUnchanged({ findings }: Probe, before: unknown, after: unknown): undefined {
  if (before === undefined || after === undefined)
    return findings.missed([unchangedGap], 'a publish was refused, or its answer shows no version');
  findings.found(
    unchangedGap,
    isSameId(before, after) ? 'same-version' : 'new-version',
    `two different publishes without a change between them had the versions ${before} and ${after}`,
  );
}
