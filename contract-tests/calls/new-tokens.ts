// Tokens that a login or a renewal gave out a moment ago: deployments keep copies, which may learn of them a little later.
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';

/** How long a new token may be unknown to a part of a deployment, in milliseconds. */
export const newTokenMs = 2_000;

const issued = new WeakMap<Context, Map<string, number>>();

/** Notes the token of a login or a renewal. */
export function noteNewToken(context: Context, exchange: Exchange): void {
  const { token } = exchange.values;
  if (typeof token !== 'string' || !succeeded(exchange)) return;
  if (exchange.operation !== 'login' && exchange.operation !== 'refresh') return;
  const tokens = issued.get(context) ?? new Map<string, number>();
  issued.set(context, tokens.set(token, context.clock.now()));
}

/** Whether a token is used for the first time, and was given out a moment ago. It is asked once for each use. */
export function isFirstUse(context: Context, token: string | null | undefined): boolean {
  const tokens = issued.get(context);
  const since = token ? tokens?.get(token) : undefined;
  if (!token || since === undefined) return false;
  tokens?.delete(token);
  return context.clock.now() - since < newTokenMs;
}
