// The requirements that a run could verify with a profile if it had all credentials, a receiver and enough time.
import type { Profile } from '../../openapi/profile.ts';
import { statedValues } from '../../openapi/profile.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { checks } from '../checks/index.ts';
import { windowMs } from '../core/documented-limits.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { dryRunOf, waitOf } from './dry-run.ts';

export interface Verifiable {
  /** All requirements, including those that no check can verify. */
  total: number;
  verified: readonly string[];
  /** The requirements that cannot be verified, with the reason. */
  missing: readonly { requirement: string; reason: string }[];
  /** The --max-wait that the checks of `verified` need, in milliseconds. */
  waitMs: number;
}

export function verifiableRequirements(profile: Profile): Verifiable {
  const needed = checks.filter(({ isFurther }) => !isFurther);
  const { notVerified } = dryRunOf(withEverything(profile), needed);
  const reasons = new Map(notVerified.map(({ requirement, reason }) => [requirement, reason]));
  const missing = readRequirements().flatMap(({ id, excluded }) => {
    const reason = excluded ?? reasons.get(id);
    return reason === undefined ? [] : [{ requirement: id, reason }];
  });
  const lacking = new Set(missing.map(({ requirement }) => requirement));
  const all = readRequirements().map(({ id }) => id);
  const waits = needed
    .filter(({ requirement }) => !lacking.has(requirement))
    .flatMap(({ needs }) => needs.map((need) => waitOf(need, { profile })));
  return {
    total: all.length,
    verified: all.filter((id) => !lacking.has(id)),
    missing,
    waitMs: Math.max(windowMs, ...waits),
  };
}

/** Placeholder credentials: a dry run sends nothing. */
function withEverything(profile: Profile): SuiteOptions {
  const account = { username: 'someone', password: 'something' };
  const address = 'http://127.0.0.1:9';
  return {
    baseUrl: `${address}/api/v1`,
    profile: { name: profile.name, stated: statedValues(profile) },
    account,
    apiKey: 'sp_something',
    siteId: 1,
    second: account,
    other: { ...account, siteId: 2 },
    tier: 'full',
    only: [],
    skip: [],
    maxWaitMs: 31_536_000_000,
    receiver: { url: address },
  };
}
