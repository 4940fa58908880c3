// Tries other forms of signing secrets, where the usual one is refused.
import { readRequest } from '../../openapi/operations.ts';
import type { CallOptions } from '../calls/call.ts';
import { type Context, once } from '../context.ts';
import { succeeded } from '../core/exchange.ts';
import { parseExactly } from '../core/parse-json.ts';
import { formCount, isLong, isUsual, secretOf, usualForm } from './secret-forms.ts';
import { type Subscription, type SubscriptionRequest, sendCreation } from './subscription-calls.ts';

/** The document leaves open which secrets are accepted: as long as none was, others are tried, once for all creations that are under way. */
export async function createWithOtherSecret(
  context: Context,
  request: SubscriptionRequest,
  options: CallOptions,
): Promise<Omit<Subscription, 'id'> | undefined> {
  if (request.secret === undefined || !isUsual(context, request.secret)) return undefined;
  const form = await once(context, findForm);
  if (form === usualForm) return undefined;
  const created = await sendCreation(context, { ...request, secret: secretOf(context, form) }, options);
  return succeeded(created.exchange) ? created : undefined;
}

/** A secret that is accepted with another choice of events was not refused for its form. */
async function findForm(context: Context): Promise<number> {
  if (isUsualTaken(context)) return usualForm;
  for (let form = usualForm + 1; form < formCount; form++) {
    const { exchange } = await sendCreation(context, { secret: secretOf(context, form) });
    if (!succeeded(exchange)) continue;
    const usual = { secret: secretOf(context, usualForm), events: ['publish.failed'] };
    if (succeeded((await sendCreation(context, usual)).exchange)) return usualForm;
    context.secretForm = form;
    if (isLong(form)) context.observations.compare('subscription.secret-rule', 'min-32');
    return form;
  }
  return usualForm;
}

/** Whether a subscription with a secret of the usual form was created so far. */
function isUsualTaken(context: Context): boolean {
  const operation = context.operations.get('createSubscription');
  return context.exchanges.some((exchange) => {
    if (exchange.operation !== 'createSubscription' || !succeeded(exchange) || !operation) return false;
    const { secret } = readRequest(operation, parseExactly(exchange.request.body ?? ''));
    return typeof secret === 'string' && isUsual(context, secret);
  });
}
