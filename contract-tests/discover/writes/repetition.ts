// What makes a write a repetition of another: the identical request, or a key in a header.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import type { Probe } from '../probe.ts';

export interface WriteResult {
  exchange: Exchange;
  /** Identifies what was created. */
  result: unknown;
}

/** A write that can be repeated; another mark makes another write. */
export type Write = (mark: string, headers: Record<string, string>) => Promise<WriteResult>;

export interface Repetition {
  first: Exchange;
  /** The last one that had the first result, with as few keys as that takes. */
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

/** The headers whose key makes the second call of a mark a repetition, as far as that is known. */
function keyHeaders({ findings }: Probe): readonly string[] {
  if (findings.value(repetitionGap) === 'identical-request') return [];
  const known = findings.value(headerGap);
  return known === undefined ? likelyHeaders : [String(known)];
}

function withKey(names: readonly string[], mark: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `sitepub-${mark}`]));
}

/** Sends a write twice at once, and finds out what makes it a repetition. Undefined where it is refused. */
export async function repeatWrite(probe: Probe, write: Write): Promise<Repetition | undefined> {
  const mark = `${probe.runId}-${probe.nextNumber()}`;
  const headers = withKey(keyHeaders(probe), mark);
  const { exchange: first, result } = await write(mark, headers);
  if (!succeeded(first) || result === undefined) return undefined;
  const second = await write(mark, headers);
  if (!succeeded(second.exchange)) return undefined;
  const isSame = isSameId(second.result, result);
  const plainest = isSame ? await findRule(probe, write, { mark, result }) : undefined;
  return { first, second: plainest ?? second.exchange, isSame };
}

/** Repeats a write with a key in fewer headers each time, of which hardly any creates something. Returns the last repetition. */
async function findRule(
  probe: Probe,
  write: Write,
  { mark, result }: { mark: string; result: unknown },
): Promise<Exchange | undefined> {
  const { findings } = probe;
  let names = keyHeaders(probe);
  // Whether one of the names is needed, and not the identical request enough.
  let isNeeded = findings.value(repetitionGap) === 'key-header';
  let last: Exchange | undefined;
  while (names.length > (isNeeded ? 1 : 0)) {
    const fewer = names.slice(0, Math.floor(names.length / 2));
    const again = await write(mark, withKey(fewer, mark));
    if (!succeeded(again.exchange)) return last;
    const isSame = isSameId(again.result, result);
    if (isSame) last = again.exchange;
    isNeeded ||= !isSame;
    names = isSame ? fewer : names.slice(fewer.length);
  }
  const [header] = names;
  if (header === undefined) {
    const evidence = 'the same request, sent twice at once, had one result';
    findings.found(repetitionGap, 'identical-request', evidence);
    return last;
  }
  const evidence = `only with the same key in ${header}, the same request had one result`;
  findings.found(repetitionGap, 'key-header', evidence);
  findings.found(headerGap, header, evidence);
  return last;
}
