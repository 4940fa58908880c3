// Before the suite is loaded: checks that a server listens at the base URL, its scheme, and the host name of the receiver.
import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Abort } from '../../core/outcomes.ts';
import type { SuiteOptions } from '../../core/suite-options.ts';
import { connectMs, speaksTls, tryToConnect } from './connect.ts';
import { findOtherAddress } from './other-address.ts';

/** Why the run cannot begin: a wrong or unreachable address. `findOther` looks for the service at similar addresses. */
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
  // The proxy opens the connection, so a direct one would say nothing.
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
  // An unknown name fails at every port, and a timeout would only repeat.
  const other = code === 'ECONNREFUSED' ? await findOther(baseUrl, 'origin') : undefined;
  const what = `cannot reach ${baseUrl}: ${problem}`;
  const hint = other ? `did you mean ${other}?` : 'check --base-url and that the service is running';
  return { kind: 'unreachable', reason: `${what} (${code}); ${hint}` };
}

/** Why the run ends if the base URL and the server use different schemes. */
export async function checkScheme(baseUrl: string): Promise<Abort | undefined> {
  const { protocol } = new URL(baseUrl);
  const isTls = await speaksTls(baseUrl);
  if (isTls === undefined || isTls === (protocol === 'https:')) return undefined;
  const [spoken, right] = isTls ? ['http', 'https'] : ['https', 'http'];
  const other = `${right}${baseUrl.slice(spoken.length)}`;
  return {
    kind: 'usage',
    reason: `the server at ${baseUrl} speaks ${right}, not ${spoken}; did you mean ${other}?`,
  };
}

/** Names that may be known only in the network of the deployment, for example of its containers. */
const privateName = /^[^.]+$|\.(internal|local|localdomain|lan|home\.arpa|svc|test|localhost)$/i;

async function checkReceiverName({ receiver, connection }: SuiteOptions): Promise<Abort | undefined> {
  const { url } = receiver;
  // Behind a proxy, this machine may be unable to resolve public names.
  if (url === undefined || connection?.proxy) return undefined;
  const { hostname } = new URL(url);
  if (hostname.startsWith('[') || privateName.test(hostname)) return undefined;
  try {
    await Promise.race([lookup(hostname), sleep(connectMs, undefined, { ref: false })]);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTFOUND') return undefined;
    const reason = `the host ${hostname} of the receiver URL is unknown, so no push can arrive; check --receiver-url`;
    return { kind: 'usage', reason };
  }
}
