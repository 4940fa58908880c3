// The calls that are limited, as the checks of limits make them.
import type { OperationId } from '../../../openapi/operations.ts';
import type { CallOptions } from '../../calls/call.ts';
import { callProfileOperation, canVary, gapOf, hasKeyHeader, uniqueText } from '../../calls/profile-calls.ts';
import { budgetKey, noteLogin, sendLogin, type TenantLabel } from '../../calls/user-session.ts';
import { type Context, oncePerRun } from '../../context.ts';
import { windowMs } from '../../core/documented-limits.ts';
import type { Exchange } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import type { Account } from '../../core/suite-options.ts';
import { type Limited, type Measure, measureLimit } from './measure-limit.ts';

/** Operations with a limit of their own. */
export type LimitedId = 'publishSite' | 'askAi';

/** What the limit of an operation that the profile knows was found to be. */
export const measured = oncePerRun(measureOperation);

function measureOperation(context: Context, id: LimitedId): Promise<Measure> {
  return measureLimit(context, callsOf(context, id));
}

export function callsOf(context: Context, id: LimitedId): Limited {
  const isPublish = id === 'publishSite';
  if (isPublish && !hasKeyHeader(context) && !canVary(context, id, 'note'))
    throw new NotVerified(
      `publishes can't be told from repeats of one another; put "{note}" into the body of ${gapOf(context, id)}`,
    );
  const kin: readonly OperationId[] = isPublish ? ['publishSite', 'failPublish'] : [id];
  const times = () =>
    context.exchanges.filter(({ operation }) => kin.includes(operation)).map(({ at }) => at);
  return {
    what: isPublish ? 'publishes' : 'AI calls',
    send: () => sendOne(context, id),
    lastAt: () => times().at(-1),
    used: () => times().filter((time) => time > context.clock.now() - windowMs).length,
  };
}

/** One more call of a kind, unlike all others: the tenant's own on the site under test unless told otherwise. */
export function sendOne(
  context: Context,
  id: LimitedId,
  { siteID, ...options }: { siteID?: unknown } & CallOptions = {},
): Promise<Exchange> {
  const name = id === 'publishSite' ? 'note' : 'prompt';
  const values = { [name]: uniqueText(context, name), ...(siteID !== undefined && { siteID }) };
  return callProfileOperation(context, id, { values, ...options });
}

/** What the limit of logins was found to be, by those of the main user. */
export const measuredLogins = oncePerRun(measureLogins);

function measureLogins(context: Context): Promise<Measure> {
  return measureLimit(context, loginsOf(context));
}

/** Logins of the main user, or of several users of the tenant in turn. */
export function loginsOf(context: Context, users = [context.options.account]): Limited {
  const key = budgetKey(context, 'main');
  let count = 0;
  return {
    what: 'logins',
    send: () => loginOf(context, users[count++ % users.length], 'main'),
    lastAt: () => context.budget.recent(key).at(-1),
    used: () => context.budget.recent(key).length,
  };
}

export function loginOf(
  context: Context,
  account: Account | undefined,
  tenant: TenantLabel,
): Promise<Exchange> {
  if (!account) throw new NotVerified('there are no credentials');
  noteLogin(context, tenant);
  return sendLogin(context, account);
}
