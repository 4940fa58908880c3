// Receivers that are right but for one thing that they refuse, or break down at, each with the check that sees it.
import type { Decide, Decision, Manners, Seen } from './open-receiver.ts';
import { decideRightly, isSigned } from './right-receiver.ts';

export interface FussyReceiver {
  check: string;
  /** Made anew for each test, for some remember. */
  make(): Decide;
  manners?: Omit<Manners, 'secret'>;
}

const textOf = ({ body }: Seen) => body.toString();
const hasHeader = ({ rawHeaders }: Seen, name: string) => rawHeaders.includes(name);

/** Right, but another answer where the test holds. */
function but(isStrange: (seen: Seen) => boolean, decision: Decision = 400): Decide {
  return (seen, secret) =>
    isSigned(seen, secret) && isStrange(seen) ? decision : decideRightly(seen, secret);
}

/** Right, but another answer to right pushes that `note` has noted before. */
function remembering(decision: Decision): Decide {
  const known = new Set<string>();
  return but((seen) => {
    const isKnown = known.has(textOf(seen));
    known.add(textOf(seen));
    return isKnown;
  }, decision);
}

/** Right, but an older event than the last is refused. */
function ordered(): Decide {
  let latest = '';
  return but((seen) => {
    const [, timestamp = ''] = /"timestamp":\s*"([^"Z.]+)/.exec(textOf(seen)) ?? [];
    const isOld = timestamp < latest;
    if (!isOld) latest = timestamp;
    return isOld;
  });
}

const minuteMs = 60_000;

function isStale(seen: Seen): boolean {
  const [, timestamp] = /"timestamp":\s*"([^"]+)"/.exec(textOf(seen)) ?? [];
  return timestamp !== undefined && Date.now() - Date.parse(timestamp) > 5 * minuteMs;
}

const headerTime = ({ headers }: Seen) => Number(headers['x-webhook-timestamp']);

/** One that is later than our own clock, by seconds alone. */
const isAhead = (seen: Seen) => {
  const lead = headerTime(seen) - Date.now() / 1_000;
  return lead > 2 && lead < 60;
};

/** Pushes that are answered while others wait. */
function crowded(): Decide {
  let inside = 0;
  return async (seen, secret) => {
    inside++;
    const isFull = inside > 50;
    await new Promise((resolve) => setTimeout(resolve, 300));
    inside--;
    return isFull ? 500 : decideRightly(seen, secret);
  };
}

export const fussyReceivers: readonly FussyReceiver[] = [
  { check: 'recv-1-non-ascii-text', make: () => but((seen) => /[^\0-~]/.test(textOf(seen))) },
  { check: 'recv-1-escaped-text', make: () => but((seen) => textOf(seen).includes('\\u')) },
  { check: 'recv-1-pretty-printed', make: () => but((seen) => textOf(seen).startsWith('{\n')) },
  { check: 'recv-1-spaced', make: () => but((seen) => textOf(seen).includes('", "')) },
  { check: 'recv-1-trailing-newline', make: () => but((seen) => textOf(seen).endsWith('}\n')) },
  { check: 'recv-1-crlf-and-tabs', make: () => but((seen) => textOf(seen).includes('\t')) },
  { check: 'recv-1-member-order', make: () => but((seen) => textOf(seen).startsWith('{"data"')) },
  {
    check: 'recv-1-charset',
    make: () => but(({ headers }) => headers['content-type'] !== 'application/json', 415),
  },
  { check: 'recv-1-lower-case-headers', make: () => but((seen) => hasHeader(seen, 'x-webhook-signature')) },
  { check: 'recv-1-upper-case-headers', make: () => but((seen) => hasHeader(seen, 'X-WEBHOOK-SIGNATURE')) },
  { check: 'recv-1-further-headers', make: () => but((seen) => hasHeader(seen, 'Traceparent')) },
  { check: 'recv-1-in-pieces', make: () => but((seen) => seen.firstPart.length < seen.body.length / 2) },
  { check: 'advice-duplicate', make: () => remembering(409) },
  { check: 'advice-duplicates-at-once', make: () => remembering(409) },
  { check: 'advice-retry-after-hang-up', make: () => remembering(409) },
  { check: 'advice-duplicate-with-new-timestamp', make: () => but(isAhead) },
  { check: 'advice-older-after-newer', make: ordered },
  { check: 'advice-late-retry', make: () => but(isStale) },
  { check: 'advice-timestamp-header', make: () => but((seen) => Number.isNaN(headerTime(seen)), 500) },
  { check: 'advice-unknown-members', make: () => but((seen) => textOf(seen).includes('event_id')) },
  { check: 'advice-unusual-numbers', make: () => but((seen) => textOf(seen).includes(':1.0')) },
  { check: 'advice-unknown-event', make: () => but((seen) => textOf(seen).includes('site.archive')) },
  { check: 'advice-timestamp-in-utc', make: () => but((seen) => /:\d\dZ"/.test(textOf(seen))) },
  { check: 'advice-timestamp-with-fraction', make: () => but((seen) => /:\d\d\.\d+/.test(textOf(seen))) },
  { check: 'advice-expect-continue', make: () => but(({ headers }) => headers.expect !== undefined, 417) },
  {
    check: 'advice-chunked',
    make: () => but(({ headers }) => headers['transfer-encoding'] !== undefined),
  },
  {
    check: 'advice-signature-in-upper-case',
    make: () => (seen, secret) =>
      /=.*[A-F]/.test(String(seen.headers['x-webhook-signature'])) ? 500 : decideRightly(seen, secret),
  },
  {
    check: 'advice-other-methods',
    make: () => (seen, secret) => (seen.method === 'PUT' ? 200 : decideRightly(seen, secret)),
  },
  {
    check: 'advice-other-methods',
    make: () => (seen, secret) => (seen.method === 'GET' ? 500 : decideRightly(seen, secret)),
  },
  { check: 'advice-body-of-20-kb', make: () => but(({ body }) => body.length > 16_384, 413) },
  { check: 'advice-body-of-256-kb', make: () => but(({ body }) => body.length > 100_000) },
  { check: 'advice-body-of-1-mb', make: () => but(({ body }) => body.length > 512_000, 500) },
  { check: 'advice-body-of-5-mb', make: () => but(({ body }) => body.length > 4_000_000, 500) },
  { check: 'advice-many-at-once', make: crowded },
  { check: 'advice-slow-sender', make: () => decideRightly, manners: { isSerial: true } },
  { check: 'advice-half-sent', make: () => decideRightly, manners: { isFragile: true } },
  {
    check: 'advice-refused-without-5xx',
    make: () => (seen, secret) => (isSigned(seen, secret) ? decideRightly(seen, secret) : 500),
  },
];
