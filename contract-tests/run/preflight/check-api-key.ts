// Checks the API key: every call refuses a wrong key in the same way as a made-up one.
import type { OperationId } from '../../../openapi/operations.ts';
import { call } from '../../calls/call.ts';
import { newTokenMs } from '../../calls/new-tokens.ts';
import { inventToken, sessionToken } from '../../calls/user-session.ts';
import { createdKey, isWholeKey } from '../../checks/authentication/created-keys.ts';
import type { Context } from '../../context.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import type { Abort } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { askForNobodysSubscription } from './harmless-calls.ts';

const reading: readonly OperationId[] = ['listSites', 'getSite', 'listSubscriptions', 'listKeys'];

/**
 * Why the run ends: no call accepts the API key. If one call accepts it, or if a new key is refused as well, the deployment may be at fault
 * and the checks decide.
 */
export async function checkApiKey(context: Context): Promise<Abort | undefined> {
  const { apiKey } = context.options;
  if (!apiKey || context.siteId === undefined) return undefined;
  const refusal = await refusedEverywhere(context, apiKey);
  if (!refusal || !(await tellsTokensApart(context))) return undefined;
  const mayBeRight = isWholeKey(apiKey) && (await isNewKeyRefused(context));
  return mayBeRight ? undefined : wrongKey(context, refusal);
}

/** The last refusal, if every call refuses the key in the same way as a made-up one. */
async function refusedEverywhere(context: Context, apiKey: string): Promise<Exchange | undefined> {
  const calls = reading.filter((id) => isForKeys(context.operations.get(id)?.auth));
  if (calls.length === 0) return undefined;
  const values = { siteID: context.siteId };
  const asks = [
    ...calls.map((id) => (token: string) => call(context, id, { values, token })),
    (token: string) => askForNobodysSubscription(context, token),
  ];
  let refusal: Exchange | undefined;
  for (const ask of asks) {
    refusal = await ask(apiKey);
    if (succeeded(refusal) || !areAlike(refusal, await ask(inventToken(apiKey)))) return undefined;
  }
  return refusal;
}

/** Whether a new key is refused too. Creates one only if it can be deleted again; the checks use it later. */
async function isNewKeyRefused(context: Context): Promise<boolean> {
  const { options, operations } = context;
  const isPossible =
    options.account && options.tier !== 'smoke' && operations.has('createKey') && operations.has('deleteKey');
  if (!isPossible) return false;
  const created = await settle(() => createdKey(context));
  if (created.error) return false;
  const { key } = created.value();
  if (!(await refusedEverywhere(context, key))) return false;
  await context.clock.pass(newTokenMs, 'the deployment to accept a new API key everywhere');
  return (await refusedEverywhere(context, key)) !== undefined;
}

/** Whether a good token changes the answer to a test of a missing subscription; some deployments look for the subscription first. */
async function tellsTokensApart(context: Context): Promise<boolean> {
  if (!context.options.account) return true;
  const token = await sessionToken(context);
  const good = await askForNobodysSubscription(context, token);
  return !areAlike(good, await askForNobodysSubscription(context, inventToken(token)));
}

function isForKeys(auth: string | undefined): boolean {
  return auth === 'bearer' || auth === 'api-key';
}

function wrongKey({ secrets, options }: Context, refusal: Exchange): Abort {
  const answer = secrets.redact(describeAnswer(refusal));
  const form = options.apiKey?.startsWith('sp_') ? '' : ', and it does not begin with sp_';
  return {
    kind: 'credentials',
    reason: `every call refuses the API key in the same way as a made-up one${form} (${answer}); check SITEPUB_API_KEY or unset it`,
  };
}
