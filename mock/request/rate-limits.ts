// Which calls are limited, and how they are counted in the world (section 8 of the interface document).
import type { OperationId } from '../../openapi/operations.ts';
import { rateLimited } from '../http/api-errors.ts';
import type { AnyCall } from '../service.ts';
import { freesAt, liveCalls } from './limit-windows.ts';
import { tenantOfCall } from './tenant-of-call.ts';

export const perMinute = 10;

/** What is limited, each separately. */
export const limitNames = ['logins', 'publishes', 'AI calls'] as const;
export type LimitName = (typeof limitNames)[number];

export const limitOf: Partial<Record<OperationId, LimitName>> = {
  login: 'logins',
  publishSite: 'publishes',
  failPublish: 'publishes',
  askAi: 'AI calls',
};

export interface LimitRule {
  /** How many calls are accepted per window. */
  most: number;
  /** Whose window a call counts in; undefined if it counts nowhere. */
  holderOf(call: AnyCall): number | string | undefined;
  /** By how much the window is longer than a minute. */
  extraMs: number;
}

/** Section 8. */
export const documentedRule: LimitRule = { most: perMinute, holderOf: tenantOfCall, extraMs: 0 };

export function countAgainstLimit(call: AnyCall, rule = documentedRule): () => void {
  const name = limitOf[call.operation.id];
  const holder = name && rule.holderOf(call);
  if (!name || holder === undefined) return keepCounted;
  const { most, extraMs } = rule;
  const { limits } = call.world;
  const key = `${name}:${holder}`;
  const kind = call.profile.values['limits.window'];
  const live = liveCalls(limits.get(key) ?? [], call.now - extraMs, kind);
  if (live.length >= most)
    throw rateLimited(`${most} ${name} a minute for this tenant`, freesAt(live, kind) + extraMs, call.now);
  limits.set(key, [...live, call.now]);
  if (countsFailures(call, name)) return keepCounted;
  return () => limits.set(key, removeTime(limits.get(key) ?? [], call.now));
}

function countsFailures({ profile }: AnyCall, name: LimitName): boolean {
  return name === 'logins' && profile.values['limits.failed-logins'] === 'counted';
}

function removeTime(times: readonly number[], time: number): number[] {
  return times.toSpliced(times.lastIndexOf(time), 1);
}

function keepCounted(): void {}
