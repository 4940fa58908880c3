// Correct receivers with one flaw, each with the check that finds it.
import type { Decide, Decision, ReceivedPush, ReceiverTraits } from './open-receiver.ts';
import { decideRightly, isSigned, signatureIn, unless } from './right-receiver.ts';

interface FussyReceiver {
  check: string;
  /** Called for each test, because some receivers store pushes. */
  make(): Decide;
  traits?: Omit<ReceiverTraits, 'secret'>;
}

const textOf = ({ body }: ReceivedPush) => body.toString();
const hasHeader = ({ rawHeaders }: ReceivedPush, name: string) => rawHeaders.includes(name);

/** A receiver that answers valid pushes that meet the condition differently. */
function refuses(check: string, ...condition: Parameters<typeof unless>): FussyReceiver {
  return { check, make: () => unless(...condition) };
}

/** A receiver that answers all pushes that meet the condition differently. */
function answers(check: string, decision: Decision, applies: (seen: ReceivedPush) => boolean): FussyReceiver {
  return { check, make: () => (seen, secret) => (applies(seen) ? decision : decideRightly(seen, secret)) };
}

/** Answers repeated valid pushes differently. */
function remembering(decision: Decision): Decide {
  const known = new Set<string>();
  return unless((seen) => {
    const isKnown = known.has(textOf(seen));
    known.add(textOf(seen));
    return isKnown;
  }, decision);
}

/** Refuses an event that is older than the previous one. */
function ordered(): Decide {
  let latest = '';
  return unless((seen) => {
    const [, timestamp = ''] = /"timestamp":\s*"([^"Z.]+)/.exec(textOf(seen)) ?? [];
    const isOld = timestamp < latest;
    if (!isOld) latest = timestamp;
    return isOld;
  });
}

const minuteMs = 60_000;

function isStale(seen: ReceivedPush): boolean {
  const [, timestamp] = /"timestamp":\s*"([^"]+)"/.exec(textOf(seen)) ?? [];
  return timestamp !== undefined && Date.now() - Date.parse(timestamp) > 5 * minuteMs;
}

const headerTime = ({ headers }: ReceivedPush) => Number(headers['x-webhook-timestamp']);

/** A timestamp a few seconds ahead of this clock. */
const isAhead = (seen: ReceivedPush) => {
  const lead = headerTime(seen) - Date.now() / 1_000;
  return lead > 2 && lead < 60;
};

/** Refuses pushes while too many others wait. */
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
  refuses('recv-1-non-ascii-text', (seen) => /[^\0-~]/.test(textOf(seen))),
  refuses('recv-1-escaped-text', (seen) => textOf(seen).includes('\\u')),
  refuses('recv-1-pretty-printed', (seen) => textOf(seen).startsWith('{\n')),
  refuses('recv-1-spaced', (seen) => textOf(seen).includes('", "')),
  refuses('recv-1-trailing-newline', (seen) => textOf(seen).endsWith('}\n')),
  refuses('recv-1-crlf-and-tabs', (seen) => textOf(seen).includes('\t')),
  refuses('recv-1-member-order', (seen) => textOf(seen).startsWith('{"data"')),
  refuses('recv-1-publish-complete', (seen) => textOf(seen).includes('publish.complete'), 500),
  refuses('recv-1-lower-case-headers', (seen) => hasHeader(seen, 'x-webhook-signature')),
  refuses('recv-1-upper-case-headers', (seen) => hasHeader(seen, 'X-WEBHOOK-SIGNATURE')),
  refuses('recv-1-further-headers', (seen) => hasHeader(seen, 'Traceparent')),
  refuses('recv-1-in-pieces', ({ parts }) => parts.length > 1 && parts.length < 8),
  refuses('recv-1-byte-by-byte', ({ parts }) => parts.length > 8),
  { check: 'advice-duplicate', make: () => remembering(409) },
  { check: 'advice-duplicates-at-once', make: () => remembering(409) },
  { check: 'advice-retry-after-hang-up', make: () => remembering(409) },
  refuses('advice-duplicate-with-new-timestamp', isAhead),
  { check: 'advice-older-after-newer', make: ordered },
  refuses('advice-late-retry', isStale),
  refuses('advice-timestamp-header', (seen) => Number.isNaN(headerTime(seen)), 500),
  refuses('advice-unknown-members', (seen) => textOf(seen).includes('event_id')),
  refuses('advice-unusual-numbers', (seen) => textOf(seen).includes(':1.0')),
  refuses('advice-unknown-event', (seen) => textOf(seen).includes('site.archive')),
  refuses('advice-foreign-site', (seen) => textOf(seen).includes('"site_id":2147480000')),
  refuses('advice-charset', ({ headers }) => headers['content-type'] !== 'application/json', 415),
  refuses(
    'advice-event-header-is-not-followed',
    (seen) => seen.headers['x-webhook-event'] === 'form.submit' && !textOf(seen).includes('form.submit'),
  ),
  refuses('advice-timestamp-in-utc', (seen) => /:\d\dZ"/.test(textOf(seen))),
  refuses('advice-timestamp-with-fraction', (seen) => /:\d\d\.\d+/.test(textOf(seen))),
  refuses('advice-expect-continue', ({ headers }) => headers.expect !== undefined, 417),
  refuses('advice-chunked', ({ headers }) => headers['transfer-encoding'] !== undefined),
  answers('advice-signature-in-upper-case', 500, (seen) => /=.*[A-F]/.test(`${signatureIn(seen)}`)),
  answers('advice-no-prefix', 200, (seen) => /^[0-9a-f]{64}$/.test(`${signatureIn(seen)}`)),
  answers('advice-other-prefix', 200, (seen) => /^sha1=[0-9a-f]{64}$/.test(`${signatureIn(seen)}`)),
  answers('advice-other-methods', 200, ({ method }) => method === 'PUT'),
  answers('advice-other-methods', 500, ({ method }) => method === 'GET'),
  refuses('advice-body-of-20-kb', ({ body }) => body.length > 16_384, 413),
  refuses('advice-body-of-256-kb', ({ body }) => body.length > 100_000),
  refuses(
    'advice-body-of-256-kb',
    ({ body, parts }) => body.length > 100_000 && parts.map(String).join('') !== body.toString(),
  ),
  refuses('advice-body-of-1-mb', ({ body }) => body.length > 512_000, 500),
  refuses('advice-body-of-5-mb', ({ body }) => body.length > 4_000_000, 500),
  { check: 'advice-many-at-once', make: crowded },
  { check: 'advice-slow-sender', make: () => decideRightly, traits: { isSerial: true } },
  { check: 'advice-half-sent', make: () => decideRightly, traits: { isFragile: true } },
  {
    check: 'advice-refused-without-5xx',
    make: () => (seen, secret) => (isSigned(seen, secret) ? decideRightly(seen, secret) : 500),
  },
];
