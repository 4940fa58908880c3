// The call that shows whether a token is accepted.
import type { CallOptions } from '../calls/call.ts';
import { untilAccepted } from '../calls/look-again.ts';
import { type Context, once } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { settle } from '../core/settled.ts';
import { requireFirstSubscription } from './create-subscription.ts';
import { staysBehind } from './left-behind.ts';
import { sendCreation, sendTest } from './subscription-calls.ts';

/** The creation of a subscription or, where each would stay, the test of the first one. `shouldPass`: the token should be accepted. */
export async function sendWithToken(
  context: Context,
  options: CallOptions & { token: string; shouldPass?: boolean },
): Promise<Exchange> {
  if (!staysBehind(context) || !(await once(context, isFirstTested)))
    return (await sendCreation(context, {}, options)).exchange;
  return sendTest(context, await requireFirstSubscription(context), { token: options.token });
}

async function isFirstTested(context: Context): Promise<boolean> {
  const first = await settle(() => requireFirstSubscription(context));
  return !first.error && succeeded(await untilAccepted(context, () => sendTest(context, first.value())));
}
