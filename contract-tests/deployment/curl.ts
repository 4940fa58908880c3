import type { RequestMessage } from '../core/exchange.ts';
import { shellWord } from '../core/shell-word.ts';
import type { Connection } from '../core/suite-options.ts';
import type { Piece, Secrets } from '../redaction/redact.ts';

/** A command line that sends the request again, for a POSIX shell with the secrets in its environment. */
export function curlLine(request: RequestMessage, means: CurlMeans): string {
  return lineOf(request, { ...means, flags: ['-sS', '-i'] });
}

/** A command line that logs in again, and exports the token at a place of the answer as SITEPUB_TOKEN. */
export function tokenLine(login: RequestMessage, place: readonly string[], means: CurlMeans): string {
  const call = lineOf(login, { ...means, flags: ['-sS'] });
  const members = place.map((name) => `[${JSON.stringify(name)}]`).join('');
  const program = `JSON.parse(require("fs").readFileSync(0, "utf8"))${members}`;
  return `export SITEPUB_TOKEN="$(${call} | node -pe ${shellWord(program)})"`;
}

interface CurlMeans {
  secrets: Secrets;
  /** How the deployment is reached. */
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

/** The flags for the way to a deployment; curl itself reads all variables of proxies but HTTP_PROXY in capitals. */
function wayOf(url: string, { proxy, ca, cert, key, passphrase }: Connection, secrets: Secrets): string[] {
  const proxyFlags = proxy?.variable === 'HTTP_PROXY' ? ['-x', '"$HTTP_PROXY"'] : [];
  if (!url.startsWith('https:')) return proxyFlags;
  const files = Object.entries({ '--cacert': ca, '--cert': cert, '--key': key });
  return [
    ...proxyFlags,
    // Else -i shows the proxy's answer before that of the deployment.
    ...(proxy ? ['--suppress-connect-headers'] : []),
    ...files.flatMap(([flag, file]) => (file ? [flag, quote(file.path, secrets)] : [])),
    ...(passphrase === undefined ? [] : ['--pass', '"$SITEPUB_KEY_PASSPHRASE"']),
  ];
}

/** A shell word in which the name of a variable replaces each secret, so that only the shell sees it. */
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

/** What the shell makes the same text of; undefined where that is no secret as it was given, and stays to be redacted. */
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

/** Cuts long bodies, and says how much is missing. */
function shorten(body: string): string {
  return body.length <= 4000 ? body : `${body.slice(0, 2000)}…(${body.length - 2000} characters more)`;
}
