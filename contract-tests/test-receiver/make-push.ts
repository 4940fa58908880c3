// Makes pushes as the deployment would send them, or with a difference.
import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import { writeJson } from '../core/parse-json.ts';
import { type EventBody, eventOf } from './event-samples.ts';
import { type Signature, type SignatureShape, signatureOf } from './make-signature.ts';
import { type PushBody, pushBodyOf } from './push-body.ts';
import type { SentPush, Transport } from './sent-push.ts';

/** How a push differs from a valid one. */
export interface Difference {
  event?: EventName;
  change?(body: EventBody): unknown;
  /** Default: compact JSON. */
  write?(value: unknown): string | Buffer;
  /** Replaces the event as the body. */
  body?: PushBody;
  /** The value of X-Webhook-Event. */
  named?: string;
  timestamp?: string;
  unit?: Usual['unit'];
  /** The signature or how to make it; null for an unsigned push. */
  signature?: SignatureShape | Signature | null;
  contentType?: string | null;
  method?: string;
  transport?: Transport;
  headers?(headers: SentPush['headers']): SentPush['headers'];
}

export interface PushFactory {
  usual: Usual;
  /** Makes a push with a new event. It is valid unless there is a difference. */
  makePush(difference?: Difference): SentPush;
  /** A new event for callers that write and sign it themselves. */
  sampleEvent(name?: EventName): EventBody;
}

/** The defaults of a push. The check `recv-1-right-push` changes them if the receiver expects another value of a gap. */
interface Usual {
  event: EventName;
  unit: 'seconds' | 'milliseconds';
  contentType: string;
  hex: 'lower' | 'upper';
}

interface FactoryOptions {
  /** Events of the receiver. Pushes use publish.complete if listed, because its body is documented; otherwise the first. */
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
  // Based on the time, because a receiver may refuse a version below one that it has seen in an earlier run.
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

/** Keeps the numbers below 2^31 for some years. */
const numbersSince = Date.UTC(2026, 0, 1);

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
