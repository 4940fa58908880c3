// The requirements that a run could verify with a profile if it had all credentials, a receiver and enough time.
import type { Profile } from '../../openapi/profile.ts';
import { statedValues } from '../../openapi/profile.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { checks } from '../checks/index.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { dryRunOf } from './dry-run.ts';

export interface Verifiable {
  /** All requirements, including those that no check can verify. */
  total: number;
  verified: readonly string[];
  /** The requirements that cannot be verified, with the reason. */
  missing: readonly { requirement: string; reason: string }[];
}

export function verifiableRequirements(profile: Profile): Verifiable {
  const { notVerified } = dryRunOf(
    withEverything(profile),
    checks.filter(({ isFurther }) => !isFurther),
  );
  const reasons = new Map(notVerified.map(({ requirement, reason }) => [requirement, reason]));
  const missing = readRequirements().flatMap(({ id, excluded }) => {
    const reason = excluded ?? reasons.get(id);
    return reason === undefined ? [] : [{ requirement: id, reason }];
  });
  const lacking = new Set(missing.map(({ requirement }) => requirement));
  const all = readRequirements().map(({ id }) => id);
  return { total: all.length, verified: all.filter((id) => !lacking.has(id)), missing };
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
    controlUrl: `${address}/_mock`,
    receiver: { url: address },
  };
}
