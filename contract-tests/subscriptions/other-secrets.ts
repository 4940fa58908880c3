// Tries other forms of signing secrets, where the usual one is refused.
import { readRequest } from '../../openapi/operations.ts';
import type { CallOptions } from '../calls/call.ts';
import type { Context } from '../context.ts';
import { succeeded } from '../core/exchange.ts';
import { parseExactly } from '../core/parse-json.ts';
import { formCount, isLong, secretOf } from './secret-forms.ts';
import { type Subscription, type SubscriptionRequest, sendCreation } from './subscription-calls.ts';

/**
 * The document leaves open which secrets are accepted: as long as none was, others are tried. A secret that is refused here and accepted
 * with another choice of events is no matter of its form.
 */
export async function createWithOtherSecret(
  context: Context,
  request: SubscriptionRequest,
  options: CallOptions,
): Promise<Omit<Subscription, 'id'> | undefined> {
  const { secret } = request;
  if (secret === undefined || context.secretForm > 0 || isSecretTaken(context)) return undefined;
  for (let form = 1; form < formCount; form++) {
    const created = await sendCreation(context, { ...request, secret: secretOf(context, form) }, options);
    if (!succeeded(created.exchange)) continue;
    const { exchange } = await sendCreation(context, { secret, events: ['publish.failed'] });
    if (succeeded(exchange)) return undefined;
    context.secretForm = form;
    if (isLong(form)) context.observations.compare('subscription.secret-rule', 'min-32');
    return created;
  }
  return undefined;
}

/** Whether a subscription with a secret was created so far. */
function isSecretTaken({ exchanges, operations }: Context): boolean {
  const operation = operations.get('createSubscription');
  return exchanges.some(
    (exchange) =>
      exchange.operation === 'createSubscription' &&
      succeeded(exchange) &&
      operation !== undefined &&
      typeof readRequest(operation, parseExactly(exchange.request.body ?? '')).secret === 'string',
  );
}
