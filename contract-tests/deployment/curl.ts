import type { RequestMessage } from '../core/exchange.ts';
import { shellWord } from '../core/shell-word.ts';
import type { Connection } from '../core/suite-options.ts';
import type { Piece, Secrets } from '../redaction/redact.ts';

/** A POSIX shell line that sends the request again with the secrets from the environment. */
export function curlLine(request: RequestMessage, means: CurlMeans): string {
  return lineOf(request, { ...means, flags: ['-sS', '-i'] });
}

/** A POSIX shell line that logs in and exports the token as SITEPUB_TOKEN. `place`: the path of the token in the answer. */
export function tokenLine(login: RequestMessage, place: readonly string[], means: CurlMeans): string {
  const call = lineOf(login, { ...means, flags: ['-sS'] });
  const members = place.map((name) => `[${JSON.stringify(name)}]`).join('');
  const program = `JSON.parse(require("fs").readFileSync(0, "utf8"))${members}`;
  return `export SITEPUB_TOKEN="$(${call} | node -pe ${shellWord(program)})"`;
}

interface CurlMeans {
  secrets: Secrets;
  connection?: Connection | undefined;
}

interface LineOptions extends CurlMeans {
  flags: readonly string[];
}

function lineOf(
  { method, url, headers, body }: RequestMessage,
  { secrets, flags, connection = {} }: LineOptions,
): string {
  const way = wayOf(url, connection, secrets);
  const words = ['curl', ...flags, ...way, '-X', method, quote(url, secrets)];
  for (const [name, value] of Object.entries(headers)) words.push('-H', quote(`${name}: ${value}`, secrets));
  if (body !== undefined) words.push('--data-binary', quote(shorten(body), secrets));
  return words.join(' ');
}

/** The flags for proxies and certificates. curl itself reads all proxy variables except HTTP_PROXY. */
function wayOf(url: string, { proxy, ca, cert, key, passphrase }: Connection, secrets: Secrets): string[] {
  const proxyFlags = proxy?.variable === 'HTTP_PROXY' ? ['-x', '"$HTTP_PROXY"'] : [];
  if (!url.startsWith('https:')) return proxyFlags;
  const files = Object.entries({ '--cacert': ca, '--cert': cert, '--key': key });
  return [
    ...proxyFlags,
    // Without this flag, -i also prints the answer of the proxy.
    ...(proxy ? ['--suppress-connect-headers'] : []),
    ...files.flatMap(([flag, file]) => (file ? [flag, quote(file.path, secrets)] : [])),
    ...(passphrase === undefined ? [] : ['--pass', '"$SITEPUB_KEY_PASSPHRASE"']),
  ];
}

/** A shell word in which variables replace secrets. */
function quote(text: string, secrets: Secrets): string {
  let [word, plain] = ['', ''];
  const endPlain = () => {
    if (plain !== '') word += shellWord(plain);
    plain = '';
  };
  for (const piece of secrets.split(text)) {
    const variable = variableFor(piece);
    if (variable === undefined) plain += piece.text;
    else {
      endPlain();
      word += variable;
    }
  }
  endPlain();
  return word || "''";
}

/** The shell expression for a secret; undefined for other texts and other encodings, which redaction hides later. */
function variableFor({ text, secret }: Piece): string | undefined {
  if (text === secret?.value) return `"$${secret.name}"`;
  return secret && text === JSON.stringify(secret.value).slice(1, -1)
    ? escapedInJson(secret.name)
    : undefined;
}

/** A variable's value, escaped for a JSON string. */
function escapedInJson(name: string): string {
  return `"$(printf %s "$${name}" | sed 's/[\\\\"]/\\\\&/g')"`;
}

function shorten(body: string): string {
  return body.length <= 4000 ? body : `${body.slice(0, 2000)}…(${body.length - 2000} more characters)`;
}
