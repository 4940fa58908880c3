// The user whose login a check changes; chosen so that a run keeps within ten logins a minute for each tenant.

import { budgetKey, mainLogin, otherSession, type TenantLabel } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { NotVerified } from '../../core/outcomes.ts';
import type { Account } from '../../core/suite-options.ts';

export interface ValidLogin {
  account: Account;
  tenant: TenantLabel;
}

/**
 * A user whose valid login has passed. Logins are few: the checks that need most of them ask for another tenant's user, and the
 * others get one where the tenant's own logins are nearly used up.
 */
export async function validLogin(context: Context, preferred: TenantLabel = 'main'): Promise<ValidLogin> {
  const { options, budget } = context;
  await mainLogin(context);
  if (!options.account) throw new NotVerified('there are no credentials of the tenant');
  const isWanted = preferred === 'other' || budget.isShort(budgetKey(context, 'main'));
  if (!options.other || !isWanted || budget.isShort(budgetKey(context, 'other')))
    return { account: options.account, tenant: 'main' };
  await otherSession(context);
  return { account: options.other, tenant: 'other' };
}
