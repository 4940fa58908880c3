// `world.limits` has, for each window, the times from which its calls count for a minute, oldest first.
import type { OperationId } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import { rateLimited } from '../http/api-errors.ts';
import type { AnyCall } from '../service.ts';
import { tenantOfCall } from './authenticate.ts';

export const perMinute = 10;

export const limitNames = ['logins', 'publishes', 'AI calls'] as const;
export type LimitName = (typeof limitNames)[number];

export const limitOf: Partial<Record<OperationId, LimitName>> = {
  login: 'logins',
  publishSite: 'publishes',
  failPublish: 'publishes',
  askAi: 'AI calls',
};

export interface LimitRule {
  most: number;
  /** Calls of the same holder share a window; undefined: the call is not limited. */
  holderOf(call: AnyCall): number | string | undefined;
  /** Milliseconds by which the window exceeds a minute; may be negative. */
  extraMs: number;
  /** Default: as the profile says. */
  kind?: WindowKind;
}

/** Section 8 of the interface document. */
export const documentedRule: LimitRule = { most: perMinute, holderOf: tenantOfCall, extraMs: 0 };

export function countAgainstLimit(call: AnyCall, rule = documentedRule): () => void {
  if (call.settings.isUnlimited) return staysCounted;
  const name = limitOf[call.operation.id];
  const holder = name && rule.holderOf(call);
  if (!name || holder === undefined) return staysCounted;
  const { profile, now } = call;
  const { limits } = call.world;
  const key = `${name}:${holder}`;
  const window = { kind: profile.values['limits.window'], ...rule };
  const live = liveCalls(limits.get(key) ?? [], now);
  const lock = profile.values['limits.lock'];
  const lockKey = `lock of ${key}`;
  let lockedUntil = lock === 'none' ? 0 : (limits.get(lockKey)?.[0] ?? 0);
  const isLocked = now < lockedUntil;
  if (isLocked || live.length >= (window.kind === 'paced' ? 1 : rule.most)) {
    if (lock !== 'none' && !isLocked) {
      lockedUntil = now + lock * 1000;
      limits.set(lockKey, [lockedUntil]);
    }
    const until = Math.max(freesAt(live), lockedUntil);
    throw rateLimited(`${rule.most} ${name} a minute for this tenant`, until, now);
  }
  const start = countsFrom(live, now, window);
  limits.set(key, [...live, start]);
  if (name === 'logins' && profile.values['limits.failed-logins'] === 'counted') return staysCounted;
  return () => {
    const times = limits.get(key) ?? [];
    limits.set(key, times.toSpliced(times.lastIndexOf(start), 1));
  };
}

export function staysCounted(): void {}

export type WindowKind = Profile['values']['limits.window'];

const minute = 60_000;

export function liveCalls(starts: readonly number[], now: number): number[] {
  return starts.filter((start) => start + minute > now);
}

export function freesAt([first = Number.NEGATIVE_INFINITY]: readonly number[]): number {
  return first + minute;
}

type WindowRule = Required<Pick<LimitRule, 'most' | 'extraMs' | 'kind'>>;

/** When the minute starts for which a call at `now` counts; earlier than `now` if it counts for less than a minute. */
export function countsFrom(
  live: readonly number[],
  now: number,
  { kind, most, extraMs }: WindowRule,
): number {
  if (kind === 'sliding') return now + extraMs;
  if (kind === 'fixed') return live[0] ?? now + extraMs;
  if (kind === 'aligned') return Math.floor(now / minute) * minute + extraMs;
  // A bucket refills one token after the other, and each call counts until its token is back.
  return Math.max(now - minute, live.at(-1) ?? now - minute) + (minute + extraMs) / most;
}
