// Before the suite is loaded: whether somebody listens at the base address, by its scheme, and whether the receiver's name is known.
import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Abort } from '../../core/outcomes.ts';
import type { SuiteOptions } from '../../core/suite-options.ts';
import { connectMs, speaksTls, tryToConnect } from './connect.ts';
import { findOtherAddress } from './other-address.ts';

/** Why a run need not begin: a wrong address, or one at which nobody answers. `findOther` finds the service elsewhere. */
export async function checkAddresses(
  options: SuiteOptions,
  findOther = findOtherAddress,
): Promise<Abort | undefined> {
  const [wrong, unknown] = await Promise.all([
    checkBaseAddress(options, findOther),
    checkReceiverName(options),
  ]);
  return wrong ?? unknown;
}

async function checkBaseAddress(
  { baseUrl, connection }: SuiteOptions,
  findOther: typeof findOtherAddress,
): Promise<Abort | undefined> {
  // A proxy opens the connection in our place, so that ours says nothing.
  if (connection?.proxy) return undefined;
  const failure = await tryToConnect(baseUrl);
  if (failure) return unreachable(baseUrl, failure, findOther);
  return baseUrl.startsWith('https:') ? checkScheme(baseUrl) : undefined;
}

async function unreachable(
  baseUrl: string,
  { code, problem }: { code: string; problem: string },
  findOther: typeof findOtherAddress,
): Promise<Abort> {
  // An unknown name is unknown at every port, and what takes long once does so again.
  const other = code === 'ECONNREFUSED' ? await findOther(baseUrl, 'origin') : undefined;
  const what = `${baseUrl} can't be reached: ${problem}`;
  const hint = other ? `did you mean ${other}?` : 'check --base-url, and whether the service is up';
  return { kind: 'unreachable', reason: `${what} (${code}); ${hint}` };
}

/** Why a run can't go on where the base address has the other scheme than the server. */
export async function checkScheme(baseUrl: string): Promise<Abort | undefined> {
  const { protocol } = new URL(baseUrl);
  const isTls = await speaksTls(baseUrl);
  if (isTls === undefined || isTls === (protocol === 'https:')) return undefined;
  const [spoken, right] = isTls ? ['http', 'https'] : ['https', 'http'];
  const other = `${right}${baseUrl.slice(spoken.length)}`;
  return { kind: 'usage', reason: `${spoken} was spoken to a server of ${right}; did you mean ${other}?` };
}

/** Names that are known in one network only, such as that of the deployment's containers. */
const privateName = /^[^.]+$|\.(internal|local|localdomain|lan|home\.arpa|svc|test|localhost)$/i;

async function checkReceiverName({ receiver, connection }: SuiteOptions): Promise<Abort | undefined> {
  const { url } = receiver;
  // Behind a proxy, a machine may know no names but its own.
  if (url === undefined || connection?.proxy) return undefined;
  const { hostname } = new URL(url);
  if (hostname.startsWith('[') || privateName.test(hostname)) return undefined;
  try {
    await Promise.race([lookup(hostname), sleep(connectMs, undefined, { ref: false })]);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTFOUND') return undefined;
    const reason = `the name ${hostname} of the receiver's address is not known, so no push could arrive; check --receiver-url`;
    return { kind: 'usage', reason };
  }
}
