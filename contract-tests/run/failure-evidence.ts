// The evidence of a failure: the call, similar answers, the timeline, and a curl line that repeats the call.
import type { Context } from '../context.ts';
import { type Exchange, envelopeOf, textOfAnswer } from '../core/exchange.ts';
import type { PromiseBroken } from '../core/outcomes.ts';
import { shortenText } from '../core/shorten-json.ts';
import { curlLine } from '../deployment/curl.ts';
import type { CallReport, CheckResult, SimilarAnswers } from '../reports/report.ts';

/** In characters; longer answers are cut. */
const longestAnswer = 2_000;
const longestTraceId = 400;

/** Redacts the answer before it cuts it, because half a secret is not recognized. The caller redacts the other texts. */
export function evidenceFor(
  { exchange, further: { others = [], moments = [] } }: PromiseBroken,
  context: Context,
): Partial<CheckResult> {
  return {
    ...(exchange && evidenceOfCall(exchange, context)),
    ...(others.length > 0 && { others: groupAnswers(others) }),
    ...(moments.length > 0 && {
      timeline: moments.map(({ afterMs, what }) => ({
        after_s: Math.round(afterMs / 1_000),
        what,
      })),
    }),
  };
}

function evidenceOfCall(exchange: Exchange, { secrets, options }: Context): Partial<CheckResult> {
  const traceId = envelopeOf(exchange).trace_id;
  return {
    call: callOf(exchange, secrets.redact),
    curl: curlLine(exchange.request, { secrets, connection: options.connection }),
    trace_id: typeof traceId === 'string' ? shortenText(secrets.redact(traceId), longestTraceId) : null,
  };
}

function callOf(exchange: Exchange, redact: (text: string) => string): CallReport {
  const { operation, request, response } = exchange;
  const { pathname, search } = new URL(request.url);
  const answer = shortenText(redact(textOfAnswer(exchange)), longestAnswer);
  return {
    operation,
    method: request.method,
    path: `${pathname}${search}`,
    status: response.status,
    answer,
  };
}

/** By operation and status, the most frequent first. */
function groupAnswers(exchanges: readonly Exchange[]): SimilarAnswers[] {
  const groups = Map.groupBy(exchanges, ({ operation, response }) => `${operation} ${response.status}`);
  return [...groups.values()]
    .flatMap((alike) => {
      const [first] = alike;
      return first
        ? [{ operation: first.operation, status: first.response.status, count: alike.length }]
        : [];
    })
    .sort((one, other) => other.count - one.count);
}
