import type { RequestMessage } from '../core/exchange.ts';
import type { Secrets } from '../redaction/redact.ts';

/** A command line that sends the request again in a POSIX shell that has the secrets in its environment. */
export function curlLine({ method, url, headers, body }: RequestMessage, secrets: Secrets): string {
  const words = ['curl', '-sS', '-X', method, quote(url, secrets)];
  for (const [name, value] of Object.entries(headers)) words.push('-H', quote(`${name}: ${value}`, secrets));
  if (body !== undefined) words.push('--data-binary', quote(shorten(body), secrets));
  return words.join(' ');
}

/** A word for the shell; a secret stands in it as its variable, to be filled in by the shell and seen by nobody else. */
function quote(text: string, secrets: Secrets): string {
  for (const [value, name] of secrets.entries()) {
    const form = text.includes(value) ? value : JSON.stringify(value).slice(1, -1);
    const at = text.indexOf(form);
    if (at < 0) continue;
    const parts = [text.slice(0, at), text.slice(at + form.length)].map((part) =>
      part === '' ? '' : quote(part, secrets),
    );
    return `${parts[0]}${form === value ? `"$${name}"` : escapedInJson(name)}${parts[1]}`;
  }
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A variable as it stands within a JSON string. */
function escapedInJson(name: string): string {
  return `"$(printf %s "$${name}" | sed 's/[\\\\"]/\\\\&/g')"`;
}

/** Padding is not worth its room; what is left out is named. */
function shorten(body: string): string {
  return body.length <= 4000 ? body : `${body.slice(0, 2000)}…(${body.length - 2000} characters more)`;
}
