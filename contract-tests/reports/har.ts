// The exchanges of a run as an HTTP archive (HAR 1.2): http://www.softwareishard.com/blog/har-12-spec/
import { hideCredential, isSecretHeader, isSecretParameter } from '../../openapi/secret-names.ts';
import { bodyOfAnswer, type Exchange } from '../core/exchange.ts';

/** In characters; longer bodies are cut. */
const longestBody = 65_536;

export interface HarOptions {
  version: string;
  redact(text: string): string;
}

export function harOf(exchanges: readonly Exchange[], { version, redact }: HarOptions): object {
  const entries = exchanges.map((exchange) => entryOf(exchange, redact));
  return { log: { version: '1.2', creator: { name: 'sitepub', version }, entries } };
}

/** -1 means that the client does not measure the size or phase. */
function entryOf(exchange: Exchange, redact: HarOptions['redact']) {
  const { operation, request, response, at, answeredAt } = exchange;
  const time = Math.max(0, answeredAt - at);
  const sizes = { headersSize: -1, bodySize: -1 };
  const common = { httpVersion: 'HTTP/1.1', cookies: [], ...sizes };
  const type = textOf(response.headers['content-type']);
  return {
    startedDateTime: new Date(at).toISOString(),
    time,
    request: {
      method: request.method,
      url: redact(hideParameters(request.url)),
      ...common,
      headers: headersOf(request.headers, redact),
      queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({
        name: redact(name),
        value: isSecretParameter(name) ? '…' : redact(value),
      })),
      ...(request.body !== undefined && {
        postData: {
          mimeType: redact(request.headers['Content-Type'] ?? 'application/json'),
          text: shorten(redact(request.body)),
        },
      }),
    },
    response: {
      status: response.status,
      statusText: '',
      ...common,
      headers: headersOf(response.headers, redact),
      redirectURL: headerOf('location', textOf(response.headers.location), redact),
      content: {
        size: response.whole?.bytes ?? Buffer.byteLength(response.text),
        mimeType: redact(type) || 'x-unknown',
        text: shorten(redact(bodyOfAnswer(exchange))),
        ...(response.whole && { comment: `cut; sha256 of the whole body: ${response.whole.sha256}` }),
      },
    },
    cache: {},
    timings: { send: -1, wait: time, receive: -1 },
    comment: operation,
  };
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

function headersOf(headers: Headers, redact: HarOptions['redact']): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => ({ name: redact(name), value: headerOf(name, one, redact) })),
  );
}

/** A known secret, already replaced by its name, such as {SITEPUB_TOKEN}. */
const named = /^(\w+ )?\{[A-Z][A-Z0-9_]*\}$/;

function headerOf(name: string, value: string, redact: HarOptions['redact']): string {
  const shown = redact(hideParameters(value));
  if (isSecretHeader(name)) return named.test(shown) ? shown : hideCredential(shown);
  if (/^(www|proxy)-authenticate$/i.test(name)) return shown.replace(/^(\w+) +[\w.~+/-]{16,}=*$/, '$1 …');
  return /^((content-)?location|refresh|link)$/i.test(name) ? hideParts(shown) : shown;
}

/** Only their length reveals session ids in paths and links from emails. */
function hideParts(address: string): string {
  return address.replace(/[\w.~%+=-]{16,}/g, (part) => (/\d/.test(part) && /[a-z]/i.test(part) ? '…' : part));
}

/** Hides the values of query and fragment parameters with secret names. */
function hideParameters(text: string): string {
  return text.replace(/([?&#;])([^=?&#;\s]+)=([^&#;\s"'<>]+)/g, (pair, before: string, name: string) =>
    isSecretParameter(name) ? `${before}${name}=…` : pair,
  );
}

function textOf(value: string | readonly string[] | undefined): string {
  return [value ?? ''].flat().join(', ');
}

/** Callers redact first, because half a secret is not recognized. */
function shorten(text: string): string {
  return text.length <= longestBody ? text : `${text.slice(0, longestBody)}…`;
}
