// Publishes of one site without a change between them.
import { pastIdempotencyWindowMs } from '../../core/documented-limits.ts';
import { succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { untilTaken } from '../ask/look-again.ts';
import { callOperation, isGiven, placeholdersIn } from '../ask/operations.ts';
import { mayWait, type Probe, reportProgress } from '../probe.ts';
import type { WriteResult } from './repetition.ts';

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
  if (!differs && !mayWait(probe, pauseMs)) return probe.findings.missed([unchangedGap], sameCalls);
  const send = () => publish(probe, `${probe.runId}-${probe.nextNumber()}`);
  // Another publish may be under way.
  const first = await untilTaken(probe, send, ({ exchange }) => succeeded(exchange));
  await probe.clock.pass(pauseMs, 'a publish to end');
  const second = await send();
  findUnchanged(probe, first.result, second.result);
}

/** A publish that can be repeated. */
export async function publish(
  probe: Probe,
  mark: string,
  headers: Record<string, string> = {},
): Promise<WriteResult> {
  const { exchange, values } = await callOperation(
    probe,
    'publishSite',
    { note: `sitepub-${mark}` },
    headers,
  );
  return { exchange, result: values.version };
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
