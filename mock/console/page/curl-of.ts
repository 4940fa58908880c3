import type { components } from '../../../openapi/generated/control-types.ts';
import { writeExactly } from './exact-json.ts';

type Request = Pick<components['schemas']['Request'], 'method' | 'path' | 'request_headers' | 'request_body'>;

const leftOut =
  /^(host|connection|content-length|accept|accept-encoding|accept-language|user-agent|sec-.*|origin|referer|transfer-encoding)$/;

/** Shown requests lack their credentials, so the command takes the token from the variable TOKEN. */
export function curlOf(
  { method, path, request_headers: headers, request_body: body }: Request,
  base: string,
): string {
  const url = `${new URL(base).origin}${path}`;
  const shown = Object.entries(headers).filter(([name]) => !leftOut.test(name));
  const words = [
    `curl -X ${quote(method)} ${quote(url)}`,
    ...shown.map(([name, value]) =>
      name === 'authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quote(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`--data ${quote(writeExactly(body))}`]),
  ];
  return words.join(' \\\n  ');
}

function quote(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
