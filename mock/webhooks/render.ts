// A body is rendered once, then signed, sent, retried and logged unchanged.
import { createHmac } from 'node:crypto';
import type { Json } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Site, Subscription } from '../world/entries.ts';
import { showLongIds } from '../world/long-ids.ts';
import { type RobotText, robotMessage, signForFeishu } from './robot-message.ts';

export interface PushMessage {
  /** An event, `webhook.greeting`, or the profile's name for a test message. */
  event: string;
  at: number;
  site: Pick<Site, 'id' | 'name'>;
  data: Json;
  /** `ownBody`: its body on the custom channel differs from the body of an event. */
  test?: { ownBody: boolean };
  greeting?: { challenge: string };
  /** The cache of renderOnce. */
  rendered?: { push: PushMessage; profile: Profile; body: string };
}

export function renderBody(push: PushMessage, { channel, secret }: Subscription, profile: Profile): string {
  if (channel === 'custom') return renderOnce(push, profile);
  const isSigned =
    channel === 'feishu' && secret !== undefined && profile.values['webhook.robot-sign'] === 'vendor';
  const sign = isSigned ? signForFeishu(secret, push.at) : undefined;
  return robotMessage(channel, textOf(push, profile), profile, sign);
}

/** All recipients share one string: bodies may be large and recipients many. */
function renderOnce(push: PushMessage, profile: Profile): string {
  const { rendered } = push;
  // A spread copy of a push inherits this cache, but may say something else.
  if (rendered?.push === push && rendered.profile === profile) return rendered.body;
  const body = writeJson(customBody(push, profile), profile.values['webhook.body-style']);
  push.rendered = { push, profile, body };
  return body;
}

/** Section 6.3 shows the bodies of events, but not of test messages and greetings. */
function customBody(push: PushMessage, profile: Profile): object {
  const { event, at, site, data, test, greeting } = push;
  const timestamp = formatTimestamp(at, profile.values['webhook.timestamp-offset']);
  if (greeting) return { type: 'url_verification', challenge: greeting.challenge, sent_at: timestamp };
  if (test?.ownBody) return { test: true, ...data, sent_at: timestamp };
  return { event, timestamp, site_id: site.id, site_name: site.name, data };
}

function textOf({ event, at, site, data }: PushMessage, profile: Profile): RobotText {
  const time = formatTimestamp(at, profile.values['webhook.timestamp-offset']);
  const details = Object.entries(data).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return {
    title: `[${event}] ${site.name}`,
    // Long ids replace their shorter stand-ins before the text is truncated.
    lines: [`site: ${site.id} ${site.name}`, `time: ${time}`, ...details].map(showLongIds),
  };
}

/** ISO 8601 with the given UTC offset: "2026-01-02T03:04:05+08:00". */
export function formatTimestamp(at: number, offset: string): string {
  const local = new Date(at + minutesOf(offset) * 60_000).toISOString();
  return `${local.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}${offset}`;
}

function minutesOf(offset: string): number {
  if (offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
  return offset.startsWith('-') ? -minutes : minutes;
}

export type BodyStyle = 'compact' | 'spaced' | 'escaped' | 'pretty';

export function writeJson(value: unknown, style: BodyStyle): string {
  if (style === 'spaced') return writeSpaced(value);
  if (style === 'pretty') return JSON.stringify(value, null, 2);
  return style === 'escaped' ? escapeText(JSON.stringify(value)) : JSON.stringify(value);
}

/** As Python's `json.dumps(value, ensure_ascii=False)`; JSON escapes line breaks in strings, so only those between parts match. */
function writeSpaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '');
}

/** As PHP's `json_encode(value)`. */
function escapeText(json: string): string {
  return json
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** X-Webhook-Signature (section 6.4) covers the body as sent, never re-serialised JSON. */
export function signBody(secret: string, body: string, hex: 'lower' | 'upper'): string {
  const digest = createHmac('sha256', secret).update(showLongIds(body)).digest('hex');
  return `sha256=${hex === 'upper' ? digest.toUpperCase() : digest}`;
}
