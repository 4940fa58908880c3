import type { Session } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { HarnessError, NotVerified } from '../../core/outcomes.ts';
import type { Control } from '../../deployment/control-api.ts';

/** Lets a session's token expire: through the control API of a mock, by waiting on any other deployment. */
export async function expire(context: Context, { token, since }: Session): Promise<void> {
  const { control, clock, profile } = context;
  if (control) return expireByControl(control, token);
  await clock.waitUntil(since + profile.values['token.lifetime'] * 1_000 + 500, 'a session token to expire');
}

/** A mock knows the tokens of its logins and no others. */
async function expireByControl(control: Control, token: string): Promise<void> {
  try {
    await control.expireToken(token);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    throw new NotVerified('the token of a login is not known; see LOGIN-1');
  }
}
