// Whether the API key was ever given out: a wrong one is refused by every call, exactly as an invented one is.
import type { OperationId } from '../../../openapi/operations.ts';
import { call } from '../../calls/call.ts';
import { inventToken, sessionToken } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import type { Abort } from '../../core/outcomes.ts';
import { askForNobodysSubscription } from './nobodys-subscription.ts';

const reading: readonly OperationId[] = ['listSites', 'getSite', 'listSubscriptions', 'listKeys'];

/** The reason why a run ends where no call takes the API key for one. One call that refuses keys may be the deployment's fault. */
export async function checkApiKey(context: Context): Promise<Abort | undefined> {
  const { options, siteId, operations } = context;
  const { apiKey } = options;
  const calls = reading.filter((id) => isForKeys(operations.get(id)?.auth));
  if (!apiKey || siteId === undefined || calls.length === 0) return undefined;
  const values = { siteID: siteId };
  const asks = [
    ...calls.map((id) => (token: string) => call(context, id, { values, token })),
    (token: string) => askForNobodysSubscription(context, token),
  ];
  let refusal: Exchange | undefined;
  for (const ask of asks) {
    refusal = await ask(apiKey);
    if (succeeded(refusal) || !areAlike(refusal, await ask(inventToken(apiKey)))) return undefined;
  }
  return refusal && (await tellsTokensApart(context)) ? wrongKey(context, refusal) : undefined;
}

/** Whether the test of a subscription that nobody has gets another answer with a good token; some look for the subscription first. */
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
  const form = options.apiKey?.startsWith('sp_') ? '' : ', and does not begin with sp_';
  return {
    kind: 'credentials',
    reason: `the API key is refused everywhere as one that nobody was given${form} (${answer}); check SITEPUB_API_KEY, or leave it out`,
  };
}
