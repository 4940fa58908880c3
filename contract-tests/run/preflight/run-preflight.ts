// Checks address, credentials, profile, site and receiver before the run creates anything. The run ends here only if a setting is
// proven wrong; if the deployment may be at fault, the checks decide.

import { networkInterfaces } from 'node:os';
import { newTokenMs } from '../../calls/new-tokens.ts';
import type { Context } from '../../context.ts';
import { type Abort, NotApplicable, NotVerified, Unreachable } from '../../core/outcomes.ts';
import { dryRunOf } from '../dry-run.ts';
import { selectChecks } from '../select-checks.ts';
import { checkApiKey } from './check-api-key.ts';
import { checkSite } from './check-site.ts';
import { checkToken } from './check-token.ts';
import { tryToConnect } from './connect.ts';
import { logInFirst } from './log-in-first.ts';

/** Reaches the deployment, logs in and checks the settings. Returns why no check can run, if so. */
export async function runPreflight(context: Context): Promise<Abort | undefined> {
  const { options } = context;
  const { logins } = dryRunOf(options, selectChecks(options));
  const refused = await logInFirst(context, logins.count);
  if (refused) return refused;
  for (const look of [checkToken, settled(checkSite), settled(checkApiKey), checkReceiver]) {
    const abort = await lookBriefly(context, look);
    if (abort) return abort;
  }
  return undefined;
}

type Look = (context: Context) => Promise<Abort | undefined>;

/** Confirms a refusal by a second look, because the deployment may not know a new API key or site everywhere yet. */
function settled(look: Look): Look {
  return async (context) => {
    const since = context.clock.now();
    if (!(await look(context))) return undefined;
    const restMs = since + newTokenMs - context.clock.now();
    if (restMs > 0) await context.clock.pass(restMs, 'new keys and sites to be known everywhere');
    return look(context);
  };
}

/** If a setting cannot be checked here, the checks say why. */
async function lookBriefly(context: Context, look: Look): Promise<Abort | undefined> {
  try {
    return await look(context);
  } catch (error) {
    const isLeftToChecks = [NotVerified, NotApplicable, Unreachable].some((kind) => error instanceof kind);
    if (isLeftToChecks) return undefined;
    throw error;
  }
}

/** Why the run ends: the receiver URL points to this machine and nothing listens there. Loopback may lead elsewhere through a tunnel. */
async function checkReceiver({ receiver, options }: Context): Promise<Abort | undefined> {
  const { url, listen } = options.receiver;
  if (!receiver || url === undefined || !isOwnAddress(new URL(url).hostname)) return undefined;
  const failure = await tryToConnect(url);
  if (failure?.code !== 'ECONNREFUSED') return undefined;
  const { host } = new URL(url);
  return {
    kind: 'usage',
    reason: `nothing listens at the receiver URL ${url}, which is this machine: the receiver listens at ${listen ?? '127.0.0.1'}; pass --receiver-listen ${host}`,
  };
}

function isOwnAddress(hostname: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return own.some(({ address, internal }) => !internal && [address, `[${address}]`].includes(hostname));
}
