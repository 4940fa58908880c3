// Classifies refusals: invalid request, failure, rate limit, or not from this service.
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

export function hasEnvelope(exchange: Exchange): boolean {
  const { code } = envelopeOf(exchange);
  return isJsonNumber(code) || typeof code === 'string';
}

/** Compares status and code. */
export function isSameError(one: Exchange, other: Exchange | undefined): boolean {
  return other !== undefined && kindOfError(one) === kindOfError(other);
}

export function kindOfError(exchange: Exchange): string {
  return `${exchange.response.status} ${writeJson(envelopeOf(exchange).code ?? null)}`;
}

/** Ignores quoted words and numbers in the messages. */
export function areSameRefusals(one: Exchange, other: Exchange | undefined): boolean {
  if (other === undefined || succeeded(one) || succeeded(other)) return false;
  return isSameError(one, other) && wordingOf(one) === wordingOf(other);
}

function wordingOf(exchange: Exchange): string {
  const unquoted = String(envelopeOf(exchange).message ?? '').replace(/"[^"]*"|'[^']*'/g, '#');
  return unquoted.replace(/\S+/g, (word) => (/\d/.test(word) ? '#' : word));
}

/** Judges by status, header and message. */
export function isRateRefusal(exchange: Exchange): boolean {
  const { status, headers } = exchange.response;
  const { code, message } = envelopeOf(exchange);
  if (code === 0) return false;
  const words =
    /too many|too fast|too frequent|rate.?limit|limit exceeded|more than \d+|频繁|限流|超过.{0,40}限制/i;
  const mayComeBack = headers['retry-after'] !== undefined && !isFailure(exchange);
  return status === 429 || mayComeBack || words.test(String(message ?? ''));
}

/** Excludes 429, which says nothing about the content of a call. */
export function isRefused(exchange: Exchange): boolean {
  return !succeeded(exchange) && exchange.response.status !== 429;
}

/** Stores a refusal. Ignores passing failures and rate refusals, except for the key quota. */
export function noteRefusal({ seen }: Probe, kind: ErrorKind, exchange: Exchange): void {
  if (succeeded(exchange) || exchange.response.status < 200) return;
  if (isFailure(exchange) && !seen.failures.lasting.has(kindOfError(exchange))) return;
  if (kind === 'key-quota' || !isRateRefusal(exchange)) seen.refusals.set(kind, exchange);
}

/** For an answer outside the envelope (section 2.1). `what`: the request in words. */
export function explainUnexpectedAnswer(probe: Probe, exchange: Exchange, what: string): Stop {
  const answer = probe.secrets.redact(describeAnswer(exchange));
  const { baseUrl } = probe.options;
  return new Stop('unexpected', `${baseUrl} answers ${what} ${describeProblem(exchange)} (${answer})`);
}

function describeProblem(exchange: Exchange): string {
  const { status, headers, text } = exchange.response;
  const type = String(headers['content-type'] ?? '');
  if (isRateRefusal(exchange))
    return 'with a rate refusal outside the envelope: a gateway limits calls; run again in a minute, or from another address';
  if (status >= 300 && status < 400)
    return `with a redirect to ${placeOfRedirect(exchange.response) ?? 'nowhere'}, which sitepub does not follow: pass the target address with --base-url`;
  if (/html/i.test(type) || /^\s*<(!doctype|html)/i.test(text))
    return 'with an HTML page instead of the envelope, like a website or a gateway: check --base-url';
  if (status >= 500) return `with HTTP ${status}: the service or a gateway fails; try again later`;
  if (text.trim() === '') return 'with an empty body instead of the envelope: check --base-url';
  return 'without the envelope (code, message, data, trace_id): check --base-url';
}
