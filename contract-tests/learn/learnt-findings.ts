// Puts what was learnt into the findings that a profile is written from, and says what became of it.
import type { Finding, Findings } from '../findings/gap-findings.ts';
import { sayCall } from '../findings/write-profile.ts';
import type { Learning, LearntOperation } from './learn-operations.ts';
import { table } from './words.ts';

/** Adds what is certain as found, deletions that wait for a call included; suggests the rest. */
export function addToFindings({ operations }: Learning, findings: Findings): undefined {
  for (const one of operations) {
    const { gap, value, isCertain, waitsForCall } = one;
    if (value === undefined) findings.missed([gap.id], `click: ${table.operations[nameOf(gap.id)]?.click}`);
    else if (isCertain || waitsForCall) findings.found(gap.id, value, sayEvidence(one));
    else {
      findings.missed([gap.id], one.doubts.join('; '));
      findings.suggest(gap.id, candidatesOf(one));
    }
  }
  findings.reconcile();
}

/** Takes the deletions back that were not called, for a reason, and suggests them. `called`: by gap. */
export function takeBackUncalled(
  { operations }: Learning,
  findings: Findings,
  { called, reason }: { called: ReadonlySet<string>; reason: string },
): void {
  for (const one of operations) {
    const id = one.gap.id;
    if (!one.waitsForCall || called.has(id) || !findings.has(id)) continue;
    findings.revoke(id, reason);
    findings.suggest(id, candidatesOf(one).slice(0, 1));
  }
}

/** The likeliest first: what speaks against that one is the reason that the profile gives for all. */
function candidatesOf(one: LearntOperation): Finding[] {
  const others = one.alternatives.map(({ value, place, doubts }) => ({
    value,
    evidence: [place, ...(doubts.length > 0 ? [`against it: ${doubts.join(', ')}`] : [])].join('; '),
  }));
  return [{ value: one.value, evidence: sayEvidence(one) }, ...others];
}

function sayEvidence({ place, reasons }: LearntOperation): string {
  return [place, reasons.join(', ')].filter(Boolean).join(': ');
}

const nameOf = (id: string) => id.replace('operation.', '');

/** What became of an operation such as "create-site", for people: its call, if one fits, and why it is not certain, if it is not. */
export interface OperationRow {
  name: string;
  call: string;
  state: 'certain' | 'to confirm' | 'not found';
  why: string;
}

export function rowsOf({ operations }: Learning, findings: Findings): OperationRow[] {
  return operations.map(({ gap: { id } }) => {
    const [first] = findings.suggestions(id);
    const isCertain = findings.has(id);
    const value = isCertain ? findings.value(id) : first?.value;
    const state = isCertain ? 'certain' : first ? 'to confirm' : 'not found';
    const why = isCertain ? '' : (findings.reason(id) ?? '');
    return { name: nameOf(id), call: value === undefined ? '' : sayCall(value), state, why };
  });
}
