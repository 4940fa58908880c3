// Values that a deployment takes in the meaning of valid ones, such as a name in other case: the document does not forbid that in so many words.
import type { ErrorKind } from '../../openapi/error-codes.ts';
import { channels, eventNames } from '../../openapi/event-names.ts';
import { expectRefusal } from '../calls/expect-answer.ts';
import type { Context } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';

/** The id of a remark. */
type RemarkId = Parameters<Context['remarks']['add']>[0];

interface InvalidRequest {
  what: string;
  kind: ErrorKind;
  /** The remark that is enough where the request is accepted; undefined where nothing explains that. */
  remark: RemarkId | undefined;
}

/** Throws PromiseBroken unless the deployment refused the request, or accepted it in a way that is a remark only. */
export function expectRefusalOrRemark(
  context: Context,
  exchange: Exchange,
  { what, kind, remark }: InvalidRequest,
): void {
  if (!succeeded(exchange) || remark === undefined) expectRefusal(context, exchange, { what, kind });
  else context.remarks.add(remark, `${what} was accepted: ${describeAnswer(exchange)}`);
}

interface Sent {
  channel?: unknown;
  events?: unknown;
  url?: unknown;
}

/** The remark on a creation with one invalid value that was accepted; undefined where it fails. What the answer shows as it was sent was stored so. */
export function leniencyOf({ channel, events, url }: Sent, { values }: Exchange): RemarkId | undefined {
  if (channel !== undefined)
    return isOtherForm(channel, channels) && values.channel !== channel ? 'lenient-name' : undefined;
  if (Array.isArray(events))
    return areOtherForms(events) && !showsAny(values.events, events) ? 'lenient-name' : undefined;
  return url !== undefined && canBeCompleted(url) && values.url !== url ? 'completed-url' : undefined;
}

/** Whether a text is one of the names but for case and blanks. */
function isOtherForm(text: unknown, names: readonly string[]): boolean {
  return typeof text === 'string' && !names.includes(text) && names.includes(text.trim().toLowerCase());
}

function areOtherForms(events: readonly unknown[]): boolean {
  const unknown = events.filter((event) => !isEventName(event));
  return unknown.length > 0 && unknown.every((event) => isOtherForm(event, eventNames));
}

function showsAny(shown: unknown, events: readonly unknown[]): boolean {
  return Array.isArray(shown) && shown.some((event) => events.includes(event) && !isEventName(event));
}

function isEventName(event: unknown): boolean {
  return eventNames.some((name) => name === event);
}

/** Whether only a scheme is missing: "a.example/" may be completed to "http://a.example/". */
function canBeCompleted(url: unknown): boolean {
  return typeof url === 'string' && /^([a-z0-9-]+\.)+[a-z]{2,}([/:?#]\S*)?$/i.test(url);
}

/** Whether an identifier that was never given out may be taken for another one: "101x", "101.5" and "0x65" for 101. */
export function resemblesId(other: unknown, id: unknown): boolean {
  const [text, own] = [String(other), String(id)];
  if (text === own) return false;
  if (!/^\d+$/.test(own)) return text.startsWith(own);
  return /^\d/.test(text) && (beginsWithNumber(text, own) || integerOf(text) === BigInt(own));
}

/** Whether a text begins with a number, zeros before it aside. */
function beginsWithNumber(text: string, number: string): boolean {
  const zeros = /^0*/.exec(number)?.[0].length ?? 0;
  const [digits = ''] = /^\d*/.exec(text) ?? [];
  return digits.length >= number.length && digits.replace(/^0+/, '') === number.slice(zeros);
}

/** The whole number that a text such as "0x65" or "1.01e2" writes, however large. */
function integerOf(text: string): bigint | undefined {
  if (/^(\d+|0x[\da-f]+)$/i.test(text)) return BigInt(text);
  const number = Number(text);
  return Number.isSafeInteger(number) ? BigInt(number) : undefined;
}
