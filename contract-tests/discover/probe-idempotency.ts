// What a creation does that is repeated: whether subscriptions are among the idempotent writes, trace_id, and the window.
import { getAt } from '../../openapi/json-pointer.ts';
import { pastIdempotencyWindowMs } from '../core/documented-limits.ts';
import { type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { callGiven, isGiven } from './call-operations.ts';
import { ask, intend, type Probe, progress, urlOf } from './discovery-probe.ts';

interface Attempt {
  exchange: Exchange;
  /** What tells one result from another. */
  result: unknown;
}

/** A write that can be repeated, with a mark that makes it another one. */
type Write = (mark: string) => Promise<Attempt>;

const windowGap = 'idempotency.window';
const hooksGap = 'idempotency.subscriptions';

/** Repeats a creation at once. Gives a write that is idempotent, if one is. */
export async function probeRepeats(probe: Probe): Promise<Write | undefined> {
  progress(probe, 'repeating a creation');
  const { findings } = probe;
  const hooks = (mark: string) => createAgain(probe, mark);
  const subscriptions = await repeatOnce(probe, hooks);
  if (subscriptions?.isSame) {
    findings.found(hooksGap, 'repeated', 'the same creation, sent twice at once, gave one subscription');
    return enterTrace(probe, subscriptions, hooks);
  }
  const recognised = await firstRecognised(probe);
  // That it is not recognised tells something only where it is known how it would be.
  if (subscriptions && (recognised || findings.has('idempotency.repetition')))
    findings.found(hooksGap, 'separate', 'the same creation, sent twice at once, gave two subscriptions');
  findings.missed([hooksGap], unrecognised);
  if (recognised) return enterTrace(probe, recognised.repetition, recognised.write);
  findings.missed([windowGap, 'idempotency.trace'], otherWrites(probe).length > 0 ? unrecognised : noWrite);
  return undefined;
}

const unrecognised =
  'the repetition of a creation was not recognised; idempotency.repetition and idempotency.key-header, which do not show from outside, say how one is';
const noWrite =
  'it takes an idempotent write; state operation.create-site, operation.import-site or operation.publish-site in a profile and give it with --profile';

async function firstRecognised(probe: Probe): Promise<{ repetition: Repetition; write: Write } | undefined> {
  for (const write of otherWrites(probe)) {
    const repetition = await repeatOnce(probe, write);
    if (repetition?.isSame) return { repetition, write };
  }
  return undefined;
}

function enterTrace({ findings }: Probe, { first, second }: Repetition, write: Write): Write {
  const isSame = envelopeOf(first).trace_id === envelopeOf(second).trace_id;
  findings.found(
    'idempotency.trace',
    isSame ? 'same' : 'new',
    `a repetition was answered with ${isSame ? 'the same' : 'a new'} trace_id`,
  );
  return write;
}

interface Repetition {
  first: Exchange;
  second: Exchange;
  isSame: boolean;
}

async function repeatOnce(probe: Probe, write: Write): Promise<Repetition | undefined> {
  const mark = `${probe.runId}-${probe.count.requests}`;
  const first = await write(mark);
  const second = await write(mark);
  if (!succeeded(first.exchange) || !succeeded(second.exchange) || first.result === undefined)
    return undefined;
  return { first: first.exchange, second: second.exchange, isSame: first.result === second.result };
}

/** Both ways at once in which a repetition may be recognised. */
function keyHeader({ findings }: Probe, mark: string): Record<string, string> {
  return { [String(findings.value('idempotency.key-header') ?? 'Idempotency-Key')]: `sitepub-${mark}` };
}

async function createAgain(probe: Probe, mark: string): Promise<Attempt> {
  const { findings, options } = probe;
  const name = (part: string) => String(findings.value(`subscription.request.${part}`));
  const target = urlOf(probe, `/sitepub/${probe.runId}/again-${mark}`);
  const settle = intend(probe, { what: 'subscription', site: options.siteId, target });
  const exchange = await ask(probe, {
    operation: 'createSubscription',
    path: `/tenant/sites/${options.siteId}/webhooks`,
    token: probe.token,
    headers: keyHeader(probe, mark),
    body: { [name('url')]: target, [name('events')]: ['publish.failed'], [name('channel')]: 'custom' },
  });
  const result = idIn(probe, exchange);
  settle(exchange, result);
  return { exchange, result };
}

function idIn({ findings }: Probe, { response }: Exchange): unknown {
  const pointer = findings.value('subscription.response.id');
  return typeof pointer === 'string' ? getAt(response.json, pointer) : undefined;
}

/** The other idempotent writes that can be made, the one that leaves least behind first. */
function otherWrites(probe: Probe): Write[] {
  const name = (mark: string) => `sitepub-${mark}`;
  const source = (mark: string) => `https://sites.example.com/${mark}`;
  return [
    isGiven(probe, 'createSite') && write(probe, 'createSite', (mark) => ({ name: name(mark) })),
    isGiven(probe, 'importSite') &&
      write(probe, 'importSite', (mark) => ({ name: name(mark), source: source(mark) })),
    isGiven(probe, 'publishSite') && write(probe, 'publishSite', (mark) => ({ note: name(mark) })),
  ].filter((one) => one !== false);
}

function write(
  probe: Probe,
  id: 'createSite' | 'importSite' | 'publishSite',
  valuesOf: (mark: string) => Record<string, unknown>,
): Write {
  return async (mark) => {
    const { exchange, values } = await callGiven(probe, id, valuesOf(mark), keyHeader(probe, mark));
    return { exchange, result: values.id ?? values.version };
  };
}

/** Repeats a write every second from 10 s on, until it gives a new result. */
export async function probeWindow(probe: Probe, write: Write): Promise<void> {
  const { clock, findings, options } = probe;
  if (!clock.isMoved && options.maxWaitMs < pastIdempotencyWindowMs)
    return findings.missed([windowGap], 'it takes 31 s; run with --max-wait 31s');
  progress(probe, 'repeating a creation until it is a new one');
  const mark = `${probe.runId}-window`;
  const first = await write(mark);
  const start = clock.now();
  for (let second = 10; second <= 30; second++) {
    await clock.waitUntil(start + second * 1_000 + 500, 'the idempotency window ends');
    await probe.control?.clearLimits();
    const again = await write(mark);
    if (!succeeded(again.exchange) || again.result === first.result) continue;
    return findings.found(
      windowGap,
      second,
      `a repetition after ${second - 0.5} s gave the first result, one after ${second + 0.5} s a new one`,
    );
  }
  findings.missed([windowGap], 'a repetition after 30.5 s still gave the first result');
}
