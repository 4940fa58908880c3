// Logins with a wrong one among them.
import { inventToken } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { succeeded } from '../../core/exchange.ts';
import { type Limited, loginOf } from './limited-calls.ts';

/** Logins of which the sixth of each burst follows one with a wrong password, which may count or not. */
export function withWrongPassword(context: Context, logins: Limited): Limited {
  let letThrough = 0;
  return {
    ...logins,
    send: async () => {
      const { account } = context.options;
      if (letThrough === 5)
        await loginOf(context, account && { ...account, password: inventToken(account.password) }, 'main');
      const exchange = await logins.send();
      letThrough = succeeded(exchange) ? letThrough + 1 : 0;
      return exchange;
    },
  };
}
