// The limited calls as the checks of limits send them.
import type { OperationId } from '../../../openapi/operations.ts';
import type { CallOptions } from '../../calls/call.ts';
import { call } from '../../calls/call.ts';
import { callProfileOperation, canVary, gapOf, hasKeyHeader, uniqueText } from '../../calls/profile-calls.ts';
import {
  budgetKey,
  inventToken,
  noteLogin,
  sendLogin,
  sessionToken,
  type TenantLabel,
} from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { windowMs } from '../../core/documented-limits.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import type { Account } from '../../core/suite-options.ts';
import { changeContentIfNeeded } from '../../events/spaced-publishes.ts';
import { isSameResult, resultOf } from '../../events/write-results.ts';

/** Operations that have a limit. */
export type LimitedId = 'login' | 'publishSite' | 'askAi';
/** Those of them that are called on a site. */
export type SiteLimitedId = Exclude<LimitedId, 'login'>;

export interface Limited {
  /** Sends one more call. */
  send(): Promise<Exchange>;
  /** Sends a call that has no limit of its own; undefined where none is known. */
  sendPlain(): Promise<Exchange | undefined>;
  /** When the last call was sent, in milliseconds since 1970; undefined where there was none. */
  lastAt(): number | undefined;
  /** When the calls of the last minute were sent, which may count. */
  recent(): readonly number[];
  /** Whether a call had the result of another one, and may not count: there was nothing new to publish. */
  isUnchanged(one: Exchange, other: Exchange): boolean;
  /** Whether such a call was let through before in this run. */
  hasWorked(): boolean;
  what: string;
}

/** The calls that use up a limit of the tenant under test. */
export function callsOf(context: Context, id: LimitedId): Limited {
  return id === 'login' ? loginsOf(context) : siteCallsOf(context, id);
}

function siteCallsOf(context: Context, id: SiteLimitedId): Limited {
  const isPublish = id === 'publishSite';
  if (isPublish && !hasKeyHeader(context) && !canVary(context, id, 'note'))
    throw new NotVerified(
      `the run cannot distinguish publishes from repeats; put "{note}" into the body of ${gapOf(context, id)}`,
    );
  const counted: readonly OperationId[] = isPublish ? ['publishSite', 'failPublish'] : [id];
  const times = () =>
    context.exchanges.filter(({ operation }) => counted.includes(operation)).map(({ at }) => at);
  return {
    what: isPublish ? 'publishes' : 'AI calls',
    send: () => sendOne(context, id),
    sendPlain: () => sendPlain(context),
    lastAt: () => times().at(-1),
    recent: () => times().filter((time) => time > context.clock.now() - windowMs),
    isUnchanged: (one, other) =>
      isPublish && resultOf(one) !== undefined && isSameResult(one, other) === true,
    hasWorked: () => hasWorked(context, id),
  };
}

/** One more call that differs from all others, by default the tenant's own on the site under test. */
export async function sendOne(
  context: Context,
  id: SiteLimitedId,
  { siteID, ...options }: { siteID?: unknown } & CallOptions = {},
): Promise<Exchange> {
  if (id === 'publishSite') await changeContentIfNeeded(context, siteID);
  const name = id === 'publishSite' ? 'note' : 'prompt';
  const values = { [name]: uniqueText(context, name), ...(siteID !== undefined && { siteID }) };
  return callProfileOperation(context, id, { values, ...options });
}

/** Logins of the main user, or of several users of the tenant in turn. */
export function loginsOf(context: Context, users = [context.options.account]): Limited {
  const key = budgetKey(context, 'main');
  let count = 0;
  return {
    what: 'logins',
    send: () => loginOf(context, users[count++ % users.length], 'main'),
    sendPlain: () => sendPlain(context),
    lastAt: () => context.budget.recent(key).at(-1),
    recent: () => context.budget.recent(key),
    isUnchanged: () => false,
    hasWorked: () => hasWorked(context, 'login'),
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

function hasWorked({ exchanges }: Context, id: LimitedId): boolean {
  return exchanges.some((exchange) => exchange.operation === id && succeeded(exchange));
}

/** The list of sites, or else the renewal of a token that was never issued; a quota of all calls refuses either. */
async function sendPlain(context: Context): Promise<Exchange> {
  const token = await sessionToken(context);
  if (context.operations.has('listSites')) return call(context, 'listSites', { token });
  const invented = inventToken(token);
  return call(context, 'refresh', { token: invented, values: { token: invented } });
}
