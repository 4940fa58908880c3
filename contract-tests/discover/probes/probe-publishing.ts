// Publishes of one site: a second one at once, and one without a change since the last.
import { pastIdempotencyWindowMs } from '../../core/documented-limits.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { callOperation, isGiven, placeholdersIn } from '../call-operations.ts';
import { type Probe, reportProgress } from '../discovery-probe.ts';
import { isRateRefusal } from '../refusals.ts';

/** How long a publish may hide that another one is under way, in milliseconds. */
const publishMs = 6_000;

const unchangedGap = 'publish.unchanged';
const concurrentGap = 'publish.concurrent';

/** Publishes two or three times, with other notes and nothing changed between. */
export async function probePublishing(probe: Probe): Promise<undefined> {
  if (!isGiven(probe, 'publishSite')) return undefined;
  reportProgress(probe, 'publishing a site without changes');
  const differs = placeholdersIn(probe, 'publishSite').includes('note');
  // Where nothing differs between two calls, the second is a repetition of the first for a while.
  const pauseMs = differs ? publishMs : pastIdempotencyWindowMs;
  if (!differs && !probe.clock.isMoved && probe.options.maxWaitMs < pauseMs)
    return probe.findings.missed([unchangedGap, concurrentGap], sameCalls);
  if (!differs) await probe.clock.pass(pauseMs, 'the end of the idempotency window of a publish');
  const first = await publish(probe, 'first');
  const second = differs ? await publish(probe, 'second') : undefined;
  if (second && succeeded(first.exchange)) findConcurrent(probe, second);
  await probe.clock.pass(pauseMs, 'a publish to end');
  findUnchanged(probe, second?.version ?? first.version, (await publish(probe, 'third')).version);
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

function findConcurrent({ findings }: Probe, { exchange }: Publish): undefined {
  if (!succeeded(exchange) && isRateRefusal(exchange))
    return findings.missed([concurrentGap], 'a second publish was refused for its rate');
  const value = succeeded(exchange) ? 'accepted' : 'refused';
  findings.found(concurrentGap, value, `a different publish right after another one was ${value}`);
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
