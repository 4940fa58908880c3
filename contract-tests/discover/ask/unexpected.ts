// Explains, in a sentence, where an answer may come from that no deployment of this interface sends.
import { describeAnswer, type Exchange, placeOfRedirect } from '../../core/exchange.ts';
import { type Probe, Stop } from '../probe.ts';
import { isRateRefusal } from './refusals.ts';

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
