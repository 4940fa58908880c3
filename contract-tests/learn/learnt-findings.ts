// Puts what was learnt into the findings that a profile is written from.
import type { Findings } from '../findings/gap-findings.ts';
import type { Learning, LearntOperation } from './learn-operations.ts';

/** What is certain is found; what is doubtful is suggested, with alternatives. */
export function addToFindings({ operations }: Learning, findings: Findings): undefined {
  for (const one of operations) addOperation(one, findings);
  findings.reconcile();
}

function addOperation(
  { gap, value, isCertain, reasons, doubts, place, alternatives }: LearntOperation,
  findings: Findings,
): undefined {
  if (value && isCertain) return findings.found(gap.id, value, `${place}: ${reasons.join(', ')}`);
  const reason = value ? `not certain: ${doubts.join('; ')}` : doubts.join('; ');
  findings.missed([gap.id], reason);
  if (!value) return;
  findings.suggest(gap.id, [
    { value, evidence: `it may be this, ${place}: ${reasons.join(', ')}` },
    ...alternatives.map((other) => ({
      value: other.value,
      evidence: `or this, ${other.place}${other.doubts.length > 0 ? `, though ${other.doubts.join('; ')}` : ''}`,
    })),
  ]);
}
