// Makes pushes: what the deployment would send, and whatever is to be different about them.
import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import { type EventBody, eventOf } from './event-samples.ts';
import { type Shape, type Signature, signatureOf } from './make-signature.ts';
import { type Body, bodyOf } from './push-body.ts';
import type { Push, Transport } from './sent-push.ts';

/** What is different about a push. */
export interface Difference {
  event?: EventName;
  /** Changes to what the event says. */
  change?(body: EventBody): unknown;
  /** How it is written; compact unless stated. */
  write?(value: unknown): string | Buffer;
  /** The body itself, in place of an event. */
  body?: Body;
  /** What X-Webhook-Event says. */
  named?: string;
  timestamp?: string;
  /** The signature, or how it is made; null for none. */
  signature?: Shape | Signature | null;
  contentType?: string;
  method?: string;
  transport?: Transport;
  /** A last change to the headers. */
  headers?(headers: Push['headers']): Push['headers'];
}

export interface Forge {
  /** The event of a push unless another is asked for. */
  usual: EventName;
  /** A push that nobody has seen before. Without a difference it is a right one. */
  make(difference?: Difference): Push;
  /** The same event as an unsigned value, for those who sign something else. */
  event(name?: EventName): EventBody;
  /** From now on timestamps are in this unit. */
  useUnit(unit: Unit): void;
  unit(): Unit;
}

export type Unit = 'seconds' | 'milliseconds';

interface ForgeOptions {
  /** The first of them is that of the usual push; publish.complete is preferred, for all of it is documented. */
  events: readonly EventName[];
  profile: Profile;
  secret: string | undefined;
}

export function createForge({ profile, secret, events }: ForgeOptions): Forge {
  const usual = events.find((name) => name === 'publish.complete') ?? events[0] ?? 'publish.complete';
  let unit: Unit = profile.values['webhook.timestamp-unit'];
  // So that the numbers of one run are not those of the run before.
  let number = Date.now() % 1_000_000_000;
  const event = (name: EventName = usual) => eventOf(name, ++number, profile);
  const isUpper = profile.values['webhook.signature-hex'] === 'upper';
  return {
    usual,
    event,
    useUnit: (other) => {
      unit = other;
    },
    unit: () => unit,
    make: (difference = {}) => {
      const { change = (same) => same, write = JSON.stringify, transport, method = 'POST' } = difference;
      const body = difference.body ?? bodyOf(write(change(event(difference.event))));
      const headers = headersOf(difference, {
        event: usual,
        signature: chooseSignature(body, difference.signature, { secret, isUpper }),
        contentType: profile.values['webhook.content-type'],
        timestamp: unixTime(Date.now(), unit),
      });
      return {
        method,
        body,
        headers: difference.headers?.(headers) ?? headers,
        ...(transport && { transport }),
      };
    },
  };
}

/** A moment in a unit, as the header has it. */
export function unixTime(ms: number, unit: Unit): string {
  return String(unit === 'seconds' ? Math.floor(ms / 1_000) : ms);
}

interface Usual {
  event: EventName;
  signature: Signature | undefined;
  contentType: string;
  timestamp: string;
}

function headersOf(difference: Difference, usual: Usual): Push['headers'] {
  const named = difference.named ?? difference.event ?? usual.event;
  return [
    ['User-Agent', 'sitepub-test-receiver'],
    ['Accept', '*/*'],
    ['Content-Type', difference.contentType ?? usual.contentType],
    ['X-Webhook-Event', named],
    ['X-Webhook-Timestamp', difference.timestamp ?? usual.timestamp],
    ...(usual.signature ? [['X-Webhook-Signature', usual.signature] as const] : []),
  ];
}

function chooseSignature(
  body: Body,
  wanted: Difference['signature'],
  { secret, isUpper }: { secret: string | undefined; isUpper: boolean },
): Signature | undefined {
  if (wanted === null || secret === undefined) return undefined;
  if (wanted && 'value' in wanted) return wanted;
  return signatureOf(body, secret, { ...(isUpper && { form: 'upper' }), ...wanted });
}
