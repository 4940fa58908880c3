// All functions return copies, and change the same message in the same way each time.
import { channels, eventNames } from '../../openapi/event-names.ts';
import { isObject, type Json } from '../../openapi/json.ts';
import { formatTimestamp } from '../webhooks/render.ts';
import { drawBetween, drawOf, type Source } from '../world/random.ts';
import { isReceivingUrl } from '../world/subscription-rules.ts';

export interface VariationContext {
  /** Unique among messages. */
  name: string;
  /** Yields the same source for the same text, so that variations need no state. */
  draw(text: string): Source;
  /** Member names that the interface document or the profile uses. */
  reserved: ReadonlySet<string>;
}

const extraNames = [
  ...['request_id', 'server_time', 'tookMs', 'region', '_links', 'meta', 'debug', 'deprecated'],
  ...['schema_version', 'x-note', '备注'],
];
const extraValues: readonly unknown[] = [
  ...[null, true, 0, -1.5, 1767294245000, '', 'näher / 更多', '0b5e9d3c-52f1-4a57-8a0a-6f4f3f1f7c11'],
  ...[[], [1, 'two', null], {}, { nested: { deep: true } }],
];

/** Leaves the data of a failure unchanged, since the profile defines it. */
export function widenAnswer(envelope: Json, context: VariationContext): Json {
  if (envelope.code !== 0) return addFields(envelope, context, context.name);
  const widened = Object.entries(envelope).map(([name, part]) => [name, widenItems(part, context)]);
  return widenBody(Object.fromEntries(widened), context);
}

/** Additions to `data` depend only on its content, so that a repeated write has the same result. */
export function widenBody(body: Json, context: VariationContext): Json {
  const { data } = body;
  const widened = isObject(data) ? { ...body, data: addFields(data, context, JSON.stringify(data)) } : body;
  return addFields(widened, context, context.name);
}

function widenItems(value: unknown, context: VariationContext, isItem = false): unknown {
  const widened = mapParts(value, (part) => widenItems(part, context, Array.isArray(value)));
  return isItem && isObject(widened) ? addFields(widened, context, JSON.stringify(widened)) : widened;
}

function mapParts(value: unknown, change: (part: unknown, name?: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => change(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part, name)]));
}

function addFields(object: Json, { reserved, draw }: VariationContext, text: string): Json {
  const source = draw(text);
  const extended = { ...object };
  for (let count = drawBetween(source, 1, 3); count > 0; count--) {
    let name = drawOf(source, extraNames) ?? '';
    while (reserved.has(name) || Object.hasOwn(extended, name)) name += '_';
    extended[name] = drawOf(source, extraValues);
  }
  return extended;
}

/** Members of objects have no order; items of arrays do, and stay in place. */
export function shuffle(body: Json, { name, draw }: VariationContext): Json {
  return shuffleIn(body, draw(name)) as Json;
}

function shuffleIn(value: unknown, source: Source): unknown {
  const shuffled = mapParts(value, (part) => shuffleIn(part, source));
  if (!isObject(shuffled)) return shuffled;
  const members = Object.entries(shuffled);
  for (let end = members.length - 1; end > 0; end--)
    members.push(...members.splice(drawBetween(source, 0, end), 1));
  return Object.fromEntries(members);
}

const offsets = ['Z', '+00:00', '+08:00', '+05:45', '-03:30', '-11:00', '+14:00'];
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/;
const calendarDate = /^\d{4}-\d\d-\d\d(?=T)/;
const dayMs = 86_400_000;

/** Section 6.3 requires an offset, but no particular one. */
export function mixOffsets(body: Json, { name, draw }: VariationContext): Json {
  const { timestamp } = body;
  if (typeof timestamp !== 'string' || !dateTime.test(timestamp)) return body;
  return { ...body, timestamp: formatTimestamp(Date.parse(timestamp), drawOf(draw(name), offsets) ?? 'Z') };
}

/** ISO 8601 also allows ordinal dates and week dates. */
export function writeOtherDate(body: Json, { name, draw }: VariationContext): Json {
  const { timestamp } = body;
  if (typeof timestamp !== 'string') return body;
  const write = drawOf(draw(name), [ordinalDate, weekDate]) ?? ordinalDate;
  const writeDay = (day: string) => write(Date.parse(`${day}T00:00:00Z`));
  return { ...body, timestamp: timestamp.replace(calendarDate, writeDay) };
}

/** "2026-002" for the second of January. */
export function ordinalDate(day: number): string {
  const year = new Date(day).getUTCFullYear();
  return `${year}-${String(dayOfYear(day, year)).padStart(3, '0')}`;
}

/** "2026-W01-5" for the Friday of the first week; a week belongs to the year of its Thursday. */
export function weekDate(day: number): string {
  const weekday = new Date(day).getUTCDay() || 7;
  const thursday = day + (4 - weekday) * dayMs;
  const year = new Date(thursday).getUTCFullYear();
  const week = Math.ceil(dayOfYear(thursday, year) / 7);
  return `${year}-W${String(week).padStart(2, '0')}-${weekday}`;
}

function dayOfYear(day: number, year: number): number {
  return Math.round((day - Date.UTC(year, 0, 1)) / dayMs) + 1;
}

export function splitSecond(headers: Record<string, string>): Record<string, string> {
  const { 'X-Webhook-Timestamp': timestamp } = headers;
  return timestamp === undefined ? headers : { ...headers, 'X-Webhook-Timestamp': `${timestamp}.25` };
}

/** Changes every text of a value, except the member named `secret`. */
export function changeTexts(change: (text: string) => string) {
  return function changeIn(value: unknown, secret: string): unknown {
    if (typeof value === 'string') return change(value);
    return mapParts(value, (part, name) => (name === secret ? part : changeIn(part, secret)));
  };
}

const knownNames: readonly string[] = [...eventNames, ...channels];
const urlWithoutScheme = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?\//i;

export function tidyName(text: string): string {
  return knownNames.find((name) => name === text.trim().toLowerCase()) ?? text;
}

export function tidyUrl(text: string): string {
  if (urlWithoutScheme.test(text)) return `http://${text}`;
  return isReceivingUrl(text) ? new URL(text).href : text;
}
