// Makes pushes: as the deployment would send them, or with a stated difference.
import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import { writeJson } from '../core/parse-json.ts';
import { type EventBody, eventOf } from './event-samples.ts';
import { type Signature, type SignatureShape, signatureOf } from './make-signature.ts';
import { type PushBody, pushBodyOf } from './push-body.ts';
import type { SentPush, Transport } from './sent-push.ts';

/** What is different about a push. */
export interface Difference {
  event?: EventName;
  /** Changes the body of the event. */
  change?(body: EventBody): unknown;
  /** Writes the body as JSON; compact unless given. */
  write?(value: unknown): string | Buffer;
  /** The body to send in place of an event. */
  body?: PushBody;
  /** The value of X-Webhook-Event. */
  named?: string;
  timestamp?: string;
  /** The unit of the timestamp. */
  unit?: Usual['unit'];
  /** The signature, or how to make it; null for none. */
  signature?: SignatureShape | Signature | null;
  /** Null for none. */
  contentType?: string | null;
  method?: string;
  transport?: Transport;
  /** Changes the headers at the end. */
  headers?(headers: SentPush['headers']): SentPush['headers'];
}

export interface PushFactory {
  /** What a push has unless its difference names another. */
  usual: Usual;
  /** Makes a push with a new event; a right one unless a difference is given. */
  makePush(difference?: Difference): SentPush;
  /** A new event, for callers that write and sign it themselves. */
  sampleEvent(name?: EventName): EventBody;
}

/** Changed by the check of a right push, where the receiver turns out to expect something else that the document leaves open. */
interface Usual {
  event: EventName;
  unit: 'seconds' | 'milliseconds';
  contentType: string;
  hex: 'lower' | 'upper';
}

interface FactoryOptions {
  /** The events of the receiver; pushes have publish.complete if it is among them, since its body is documented, or else the first. */
  events: readonly EventName[];
  profile: Profile;
  secret: string | undefined;
  site: { id?: number | bigint; name?: string };
}

export function createPushFactory({ profile, secret, events, site }: FactoryOptions): PushFactory {
  const usual: Usual = {
    event: events.find((name) => name === 'publish.complete') ?? events[0] ?? 'publish.complete',
    unit: profile.values['webhook.timestamp-unit'],
    contentType: profile.values['webhook.content-type'],
    hex: profile.values['webhook.signature-hex'],
  };
  // Tenths of a second, so that a later run has higher numbers: a receiver may refuse a version below one that it has seen.
  let number = Math.floor((Date.now() - numbersSince) / 100);
  const event = (name: EventName = usual.event) => eventOf(name, ++number, { profile, site });
  return {
    usual,
    sampleEvent: event,
    makePush: (difference = {}) => {
      const { change = (same) => same, write = writeJson, transport, method = 'POST' } = difference;
      const body = difference.body ?? pushBodyOf(write(change(event(difference.event))));
      const usualValues = {
        named: difference.event ?? usual.event,
        contentType: usual.contentType,
        timestamp: unixTime(Date.now(), difference.unit ?? usual.unit),
      };
      const isUpper = usual.hex === 'upper';
      const signature = chooseSignature(body, difference.signature, { secret, isUpper });
      const headers = headersOf({ ...usualValues, ...difference }, signature);
      const changed = difference.headers?.(headers) ?? headers;
      return { method, body, headers: changed, ...(transport && { transport }) };
    },
  };
}

/** The numbers stay below 2^31 for some years. */
const numbersSince = Date.UTC(2026, 0, 1);

/** A time in a unit, as a header value. */
export function unixTime(ms: number, unit: Usual['unit']): string {
  return String(unit === 'seconds' ? Math.floor(ms / 1_000) : ms);
}

type HeaderValues = Required<Pick<Difference, 'named' | 'contentType' | 'timestamp'>>;

function headersOf(
  { named, contentType, timestamp }: HeaderValues,
  signature: Signature | undefined,
): SentPush['headers'] {
  return [
    ['User-Agent', 'sitepub-test-receiver'],
    ['Accept', '*/*'],
    ...(contentType === null ? [] : [['Content-Type', contentType] as const]),
    ['X-Webhook-Event', named],
    ['X-Webhook-Timestamp', timestamp],
    ...(signature ? [['X-Webhook-Signature', signature] as const] : []),
  ];
}

function chooseSignature(
  body: PushBody,
  wanted: Difference['signature'],
  { secret, isUpper }: { secret: string | undefined; isUpper: boolean },
): Signature | undefined {
  if (wanted === null || secret === undefined) return undefined;
  if (wanted && 'value' in wanted) return wanted;
  return signatureOf(body, secret, { ...(isUpper && { form: 'upper' }), ...wanted });
}
