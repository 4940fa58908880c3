// A gateway that demands a header of every call, as a tampering proxy.
import type { Tamper } from './tampering-proxy.ts';

/** What a run is given to pass it. */
export const gateConnection = { headers: { 'X-Gate-Token': 's3cr3t-of-the-gate' } };

/** Lets through what has the header, and notes what it refused. */
export function createGate() {
  const refused: string[] = [];
  const tamper: Tamper = (message, forward) => {
    if (message.headers['x-gate-token'] === gateConnection.headers['X-Gate-Token']) return forward(message);
    refused.push(`${message.method} ${message.path}`);
    return { status: 403, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Forbidden</h1>') };
  };
  return { refused, tamper };
}
