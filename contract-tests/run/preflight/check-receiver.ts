// Whether the receiver listens where the deployment is told to push to, as far as this machine can tell.
import { networkInterfaces } from 'node:os';
import type { Context } from '../../context.ts';
import type { Abort } from '../../core/outcomes.ts';
import { tryToConnect } from './connect.ts';

/** The reason why a run ends where the receiver's address is one of this machine, at which nobody listens. Loopback may be another machine's, by a tunnel. */
export async function checkReceiver({ receiver, options }: Context): Promise<Abort | undefined> {
  const { url, listen } = options.receiver;
  if (!receiver || url === undefined || !isOwnAddress(new URL(url).hostname)) return undefined;
  const failure = await tryToConnect(url);
  if (failure?.code !== 'ECONNREFUSED') return undefined;
  const { host } = new URL(url);
  return {
    kind: 'usage',
    reason: `nobody listens at the receiver's address ${url}, which is this machine: the receiver listens at ${listen ?? '127.0.0.1'}; give --receiver-listen ${host}`,
  };
}

function isOwnAddress(hostname: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return own.some(({ address, internal }) => !internal && [address, `[${address}]`].includes(hostname));
}
