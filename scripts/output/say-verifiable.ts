import { verifiableRequirements } from '../../contract-tests/run/verifiable-requirements.ts';
import type { Profile } from '../../openapi/profile.ts';

/** How much of the interface document a run could verify with a profile, and why not the rest: "verifies 79 of 81; missing: …". `condition`: what has to be there, up to the verb. */
export function sayVerifiable(profile: Profile, condition = 'with it, a run that has all it needs'): string {
  const { total, verified, missing } = verifiableRequirements(profile);
  const byReason = Map.groupBy(missing, ({ reason }) => reason);
  const parts = [...byReason].map(
    ([reason, all]) => `    ${all.map(({ requirement }) => requirement).join(', ')}, because: ${reason}`,
  );
  const start = `${condition} verifies ${verified.length} of ${total}`;
  return missing.length === 0 ? start : `${start}; missing:\n${parts.join('\n')}`;
}
