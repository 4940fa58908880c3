// Makes pushes: as the deployment would send them, or with a stated difference.
import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
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
  /** The signature, or how to make it; null for none. */
  signature?: SignatureShape | Signature | null;
  contentType?: string;
  method?: string;
  transport?: Transport;
  /** Changes the headers at the end. */
  headers?(headers: SentPush['headers']): SentPush['headers'];
}

export interface PushFactory {
  /** The event of a push unless its difference names another. */
  usual: EventName;
  /** Makes a push with a new event; a right one unless a difference is given. */
  makePush(difference?: Difference): SentPush;
  /** A new event, for callers that write and sign it themselves. */
  sampleEvent(name?: EventName): EventBody;
  /** Sets the unit of further timestamps. */
  useUnit(unit: TimestampUnit): void;
  unit(): TimestampUnit;
}

type TimestampUnit = 'seconds' | 'milliseconds';

interface FactoryOptions {
  /** The events of the receiver; pushes have publish.complete if it is among them, since its body is documented, or else the first. */
  events: readonly EventName[];
  profile: Profile;
  secret: string | undefined;
}

export function createPushFactory({ profile, secret, events }: FactoryOptions): PushFactory {
  const usual = events.find((name) => name === 'publish.complete') ?? events[0] ?? 'publish.complete';
  let unit: TimestampUnit = profile.values['webhook.timestamp-unit'];
  // Starts from the time, so that two runs have different numbers.
  let number = Date.now() % 1_000_000_000;
  const event = (name: EventName = usual) => eventOf(name, ++number, profile);
  const isUpper = profile.values['webhook.signature-hex'] === 'upper';
  return {
    usual,
    sampleEvent: event,
    useUnit: (other) => {
      unit = other;
    },
    unit: () => unit,
    makePush: (difference = {}) => {
      const { change = (same) => same, write = JSON.stringify, transport, method = 'POST' } = difference;
      const body = difference.body ?? pushBodyOf(write(change(event(difference.event))));
      const usualValues = {
        named: difference.event ?? usual,
        contentType: profile.values['webhook.content-type'],
        timestamp: unixTime(Date.now(), unit),
      };
      const signature = chooseSignature(body, difference.signature, { secret, isUpper });
      const headers = headersOf({ ...usualValues, ...difference }, signature);
      const changed = difference.headers?.(headers) ?? headers;
      return { method, body, headers: changed, ...(transport && { transport }) };
    },
  };
}

/** A time in a unit, as a header value. */
export function unixTime(ms: number, unit: TimestampUnit): string {
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
    ['Content-Type', contentType],
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
