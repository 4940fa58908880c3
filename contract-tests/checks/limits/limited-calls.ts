// The limited calls as the checks of limits send them.
import type { OperationId } from '../../../openapi/operations.ts';
import type { CallOptions } from '../../calls/call.ts';
import { callProfileOperation, canVary, gapOf, hasKeyHeader, uniqueText } from '../../calls/profile-calls.ts';
import { budgetKey, noteLogin, sendLogin, type TenantLabel } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { windowMs } from '../../core/documented-limits.ts';
import type { Exchange } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import type { Account } from '../../core/suite-options.ts';
import { type Limited, type Measure, measureLimit } from './measure-limit.ts';

/** Operations that have a limit. */
export type LimitedId = 'publishSite' | 'askAi';

/** The limit of an operation, measured once a run. */
export function measureOperation(context: Context, id: LimitedId): Promise<Measure> {
  return measureLimit(context, callsOf(context, id));
}

export function callsOf(context: Context, id: LimitedId): Limited {
  const isPublish = id === 'publishSite';
  if (isPublish && !hasKeyHeader(context) && !canVary(context, id, 'note'))
    throw new NotVerified(
      `publishes can't be told from repeats of one another; put "{note}" into the body of ${gapOf(context, id)}`,
    );
  const counted: readonly OperationId[] = isPublish ? ['publishSite', 'failPublish'] : [id];
  const times = () =>
    context.exchanges.filter(({ operation }) => counted.includes(operation)).map(({ at }) => at);
  return {
    what: isPublish ? 'publishes' : 'AI calls',
    send: () => sendOne(context, id),
    lastAt: () => times().at(-1),
    used: () => times().filter((time) => time > context.clock.now() - windowMs).length,
  };
}

/** One more call that differs from all others, by default the tenant's own on the site under test. */
export function sendOne(
  context: Context,
  id: LimitedId,
  { siteID, ...options }: { siteID?: unknown } & CallOptions = {},
): Promise<Exchange> {
  const name = id === 'publishSite' ? 'note' : 'prompt';
  const values = { [name]: uniqueText(context, name), ...(siteID !== undefined && { siteID }) };
  return callProfileOperation(context, id, { values, ...options });
}

/** The limit of logins, measured once a run with those of the main user. */
export function measureLogins(context: Context): Promise<Measure> {
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
