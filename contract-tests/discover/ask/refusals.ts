// Which answers say something of the request, which come of a failure or of the rate of calls, and which no deployment of this interface sends.
import type { ErrorKind } from '../../../openapi/error-codes.ts';
import {
  describeAnswer,
  type Exchange,
  envelopeOf,
  placeOfRedirect,
  succeeded,
} from '../../core/exchange.ts';
import { isFailure } from '../../core/failures.ts';
import { isJsonNumber, writeJson } from '../../core/parse-json.ts';
import { type Probe, Stop } from '../probe.ts';

/** Whether an answer is in the envelope at all. */
export function hasEnvelope(exchange: Exchange): boolean {
  const { code } = envelopeOf(exchange);
  return isJsonNumber(code) || typeof code === 'string';
}

/** Whether two refusals are of the same kind of error, by status and code. */
export function isSameError(one: Exchange, other: Exchange | undefined): boolean {
  return other !== undefined && kindOfError(one) === kindOfError(other);
}

/** The status and the code. */
export function kindOfError(exchange: Exchange): string {
  return `${exchange.response.status} ${writeJson(envelopeOf(exchange).code ?? null)}`;
}

/** Whether two refusals are the same but for what they quote. */
export function areSameRefusals(one: Exchange, other: Exchange | undefined): boolean {
  if (other === undefined || succeeded(one) || succeeded(other)) return false;
  return isSameError(one, other) && wordingOf(one) === wordingOf(other);
}

function wordingOf(exchange: Exchange): string {
  const unquoted = String(envelopeOf(exchange).message ?? '').replace(/"[^"]*"|'[^']*'/g, '#');
  return unquoted.replace(/\S+/g, (word) => (/\d/.test(word) ? '#' : word));
}

/** Whether a refusal is about the rate of calls, by its status, its header or its message. */
export function isRateRefusal(exchange: Exchange): boolean {
  const { status, headers } = exchange.response;
  const { code, message } = envelopeOf(exchange);
  if (code === 0) return false;
  const words =
    /too many|too fast|too frequent|rate.?limit|limit exceeded|more than \d+|频繁|限流|超过.{0,40}限制/i;
  const mayComeBack = headers['retry-after'] !== undefined && !isFailure(exchange);
  return status === 429 || mayComeBack || words.test(String(message ?? ''));
}

/** Whether a call was refused for what it says: many calls may be refused with 429 for their number, whatever they say. */
export function isRefused(exchange: Exchange): boolean {
  return !succeeded(exchange) && exchange.response.status !== 429;
}

/** Remembers a refusal. Other answers are ignored: a failure that does not last, and one for the rate of calls where none is meant. */
export function noteRefusal({ seen }: Probe, kind: ErrorKind, exchange: Exchange): void {
  if (succeeded(exchange) || exchange.response.status < 200) return;
  if (isFailure(exchange) && !seen.failures.lasting.has(kindOfError(exchange))) return;
  if (kind === 'key-quota' || !isRateRefusal(exchange)) seen.refusals.set(kind, exchange);
}

/** Stops at an answer outside the envelope of section 2.1; `what` is the request, in words. */
export function explainUnexpectedAnswer(probe: Probe, exchange: Exchange, what: string): Stop {
  const answer = probe.secrets.redact(describeAnswer(exchange));
  const { baseUrl } = probe.options;
  return new Stop('unexpected', `${baseUrl} answers ${what} ${describeProblem(exchange)} (${answer})`);
}

function describeProblem(exchange: Exchange): string {
  const { status, headers, text } = exchange.response;
  const type = String(headers['content-type'] ?? '');
  if (isRateRefusal(exchange))
    return 'with a refusal for the rate of calls, outside the envelope: something in front of it limits calls; run again a minute later, or from another address';
  if (status >= 300 && status < 400)
    return `with a redirect to ${placeOfRedirect(exchange.response) ?? 'nowhere'}, which is not followed: give the address that it leads to, with --base-url`;
  if (/html/i.test(type) || /^\s*<(!doctype|html)/i.test(text))
    return 'with an HTML page instead of the envelope: that is a website or a gateway; is it the address of the service?';
  if (status >= 500)
    return `with HTTP ${status}: the service, or something in front of it, is failing; try again later`;
  if (text.trim() === '')
    return 'with an empty body instead of the envelope: is it the address of the service?';
  return 'in another form than the envelope (code, message, data, trace_id): is it the address of the service?';
}
