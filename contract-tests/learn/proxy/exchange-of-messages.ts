// What passed the proxy as an exchange.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type NoCall, readJson, readRequestBody, whyNoCall } from '../recording/exchange-of-entry.ts';
import type { RecordedExchange } from '../recording/recorded-exchange.ts';

interface Side {
  message: IncomingMessage;
  /** Undefined where it was too long to be kept. */
  text: string | undefined;
}

interface Passed {
  target: URL;
  request: Side;
  answer: Side;
  startedAt: number;
  /** Gives the number of the next exchange. */
  number(): number;
}

interface PassedExchange {
  exchange: RecordedExchange;
  /** Why it is no call of an API; undefined where it is one. */
  noCall: NoCall | undefined;
}

/** The exchange, and why it is no call: preflights, redirects and the like. */
export function exchangeOf({ target, request, answer, startedAt, number }: Passed): PassedExchange {
  const { method = 'GET', url = '/', headers } = request.message;
  const { statusCode: status = 0, headers: answered } = answer.message;
  const noCall = whyNoCall({ method, status });
  const exchange = {
    method: method.toUpperCase(),
    url: `${target.origin}${url}`,
    requestHeaders: inOneEach(headers),
    ...readRequestBody(request.text, headers['content-type'] ?? ''),
    status: status === 304 ? 200 : status,
    answer: readJson(answer.text),
    isWithoutBody: !answer.text,
    setCookies: answered['set-cookie'] ?? [],
    size: (request.text?.length ?? 0) + (answer.text?.length ?? 0),
    startedAt,
    place: noCall === undefined ? `call ${number()} of the recording` : '',
  };
  return { exchange, noCall };
}

function inOneEach(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}
