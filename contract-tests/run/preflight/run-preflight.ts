// What must be clear before anything is created: do the address, the credentials, the profile, the site and the receiver fit? A run ends
// here only where another setting is shown to work, or a setting to be wrong; what may be the deployment's fault is left to the checks.

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

/** Reaches the deployment, logs in, and looks whether the settings fit. Returns the reason where no check can be made. */
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

/** A refusal counts where a later look meets it too: what was made right before the run, such as an API key, may not be known everywhere yet. */
function settled(look: Look): Look {
  return async (context) => {
    const since = context.clock.now();
    if (!(await look(context))) return undefined;
    const restMs = since + newTokenMs - context.clock.now();
    if (restMs > 0) await context.clock.pass(restMs, 'what is new to be known everywhere');
    return look(context);
  };
}

/** What can't be looked at is left to the checks, which say why. */
async function lookBriefly(context: Context, look: Look): Promise<Abort | undefined> {
  try {
    return await look(context);
  } catch (error) {
    const isLeftToChecks = [NotVerified, NotApplicable, Unreachable].some((kind) => error instanceof kind);
    if (isLeftToChecks) return undefined;
    throw error;
  }
}

/** The reason why a run ends where the receiver's address is one of this machine, at which nobody listens. Loopback may be another machine's, by a tunnel. */
async function checkReceiver({ receiver, options }: Context): Promise<Abort | undefined> {
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
