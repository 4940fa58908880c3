// What makes a write a repetition of another: the identical request, or a key in a header.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import type { Probe } from '../discovery-probe.ts';
import { isRefused } from '../refusals.ts';

export interface WriteResult {
  exchange: Exchange;
  /** Identifies what was created. */
  result: unknown;
}

/** A write that can be repeated; another mark makes another write. */
export type Write = (mark: string, headers: Record<string, string>) => Promise<WriteResult>;

export interface Repetition {
  first: Exchange;
  second: Exchange;
  isSame: boolean;
}

const repetitionGap = 'idempotency.repetition';
const headerGap = 'idempotency.key-header';
const likelyHeaders = ['Idempotency-Key', 'X-Idempotency-Key', 'X-Request-Id', 'X-Request-Key'] as const;

/** Whether a header is among those that are tried. */
export function isLikelyHeader(name: string): boolean {
  return likelyHeaders.some((one) => one.toLowerCase() === name.toLowerCase());
}

/** The headers that make the second call of a mark a repetition, as far as that is known. */
function keyHeaders({ findings }: Probe, mark: string): Record<string, string> {
  if (findings.value(repetitionGap) === 'identical-request') return {};
  const known = findings.value(headerGap);
  return withKey(known === undefined ? likelyHeaders : [String(known)], mark);
}

/** Sends a write twice at once: as it is, and then with a key in each likely header. Undefined where it is refused. */
export async function repeatWrite(probe: Probe, write: Write): Promise<Repetition | undefined> {
  const { findings } = probe;
  if (findings.value(repetitionGap) !== 'key-header') {
    const plain = await repeatWith(probe, write, () => ({}));
    if (plain?.isSame)
      findings.found(
        repetitionGap,
        'identical-request',
        'the same request, sent twice at once, had one result',
      );
    if (!plain || plain.isSame || findings.value(repetitionGap) === 'identical-request') return plain;
  }
  const keyed = await repeatWith(probe, write, (mark) => keyHeaders(probe, mark));
  if (!keyed?.isSame) return keyed;
  findings.found(repetitionGap, 'key-header', 'the same request had one result only with a key in a header');
  await findHeader(probe, write);
  return keyed;
}

/** Halves the likely headers, for each try leaves something behind. */
async function findHeader(probe: Probe, write: Write): Promise<void> {
  const { findings } = probe;
  if (findings.has(headerGap)) return;
  let names: readonly string[] = likelyHeaders;
  while (names.length > 1) {
    const half = names.slice(0, names.length / 2);
    const repetition = await repeatWith(probe, write, (mark) => withKey(half, mark));
    if (!repetition)
      return findings.revoke(repetitionGap, 'a key in a header makes a repetition; not known in which one');
    names = repetition.isSame ? half : names.slice(half.length);
  }
  findings.found(headerGap, names[0], `with the same key in ${names[0]}, the same request had one result`);
}

function withKey(names: readonly string[], mark: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `sitepub-${mark}`]));
}

async function repeatWith(
  probe: Probe,
  write: Write,
  headersFor: (mark: string) => Record<string, string>,
): Promise<Repetition | undefined> {
  const mark = `${probe.runId}-${probe.count.requests}`;
  const first = await write(mark, headersFor(mark));
  const second = await write(mark, headersFor(mark));
  if (!succeeded(first.exchange) || !succeeded(second.exchange) || first.result === undefined)
    return undefined;
  return {
    first: first.exchange,
    second: second.exchange,
    isSame: isSameId(first.result, second.result),
  };
}

/** So often two identical writes are sent at once: the first may be answered before the second comes. */
const tries = 2;

/** Sends a write twice at the same moment. */
export async function probeInProgress(probe: Probe, write: Write): Promise<undefined> {
  const gap = 'idempotency.in-progress';
  for (let count = 0; count < tries; count++) {
    const mark = `${probe.runId}-${probe.count.requests}`;
    const { madeAgain } = probe.failures;
    const both = [mark, mark].map((one) => write(one, keyHeaders(probe, one)));
    const results = await Promise.all(both);
    if (probe.failures.madeAgain > madeAgain)
      return probe.findings.missed(
        [gap],
        'of two identical writes at the same moment one failed (5xx), and was made again later',
      );
    const taken = results.filter(({ exchange }) => succeeded(exchange));
    const isOneRefused = results.some(({ exchange }) => isRefused(exchange));
    if (taken.length === 1 && isOneRefused)
      return probe.findings.found(
        gap,
        'refused',
        'of two identical writes at the same moment one was refused',
      );
    if (!isSameId(taken[0]?.result, taken[1]?.result))
      return probe.findings.missed([gap], 'two identical writes at the same moment had no common result');
  }
  probe.findings.found(gap, 'waits', 'two identical writes at the same moment had one result');
}
