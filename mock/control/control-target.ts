// What a request to the control API is for. The guard and the calls share this one reading of its address.
import { ControlError } from './control-error.ts';

/** A message to an inbox, or a call of the control API. */
export type Target = { kind: 'message'; name: string; path: string } | { kind: 'call'; segments: string[] };

/** Reads the method and the address as they were sent. */
export function readTarget(method: string, url: string): Target {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path = ''] = local.split(/[?#]/);
  const raw = path.split('/').slice(1);
  const segments = raw.map(decode);
  if (!isMessage(method, segments)) return { kind: 'call', segments };
  const inboxLength = raw.slice(0, 3).join('/').length + 1;
  return { kind: 'message', name: segments[2] ?? '', path: local.slice(inboxLength) };
}

/** Three calls use addresses that otherwise receive messages. */
function isMessage(method: string, [, place, name = '', last, ...rest]: readonly string[]): boolean {
  if (place !== 'inbox' || name === '') return false;
  if (last === undefined) return method !== 'PUT' && method !== 'DELETE';
  return (method !== 'GET' && method !== 'HEAD') || last !== 'messages' || rest.length > 0;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ControlError(400, 'the path is not percent-encoded as it must be');
  }
}
