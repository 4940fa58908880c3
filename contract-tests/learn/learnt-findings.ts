// Puts what was learnt into the findings that a profile is written from, and says what became of it.
import type { Finding, Findings } from '../findings/gap-findings.ts';
import { callOf } from '../findings/write-operation.ts';
import type { Learning, LearntOperation } from './learn-operations.ts';
import { table } from './words.ts';

/** Adds what is certain as found, deletions that wait for a call included; suggests the rest. */
export function addToFindings({ operations }: Learning, findings: Findings): undefined {
  for (const one of operations) {
    const { gap, value, isCertain, waitsForCall } = one;
    if (value === undefined) findings.missed([gap.id], `click: ${table.operations[nameOf(gap)]?.click}`);
    else if (isCertain || waitsForCall) findings.found(gap.id, value, sayEvidence(one));
    else {
      findings.missed([gap.id], one.doubts.join('; '));
      findings.suggest(gap.id, candidatesOf(one));
    }
  }
  findings.reconcile();
}

/** Takes the deletions back that were not called, and suggests them. `called`: by gap. */
export function takeBackUncalled(
  { operations }: Learning,
  findings: Findings,
  called: ReadonlySet<string>,
): undefined {
  for (const one of operations) {
    const id = one.gap.id;
    if (!one.waitsForCall || called.has(id) || !findings.has(id)) continue;
    findings.revoke(id, uncalled);
    findings.suggest(id, candidatesOf(one).slice(0, 1));
  }
}

const uncalled = 'it deletes: call it with `discover --openapi F --create`, or take the mark away';

/** The likeliest first: what speaks against that one is the reason that the profile gives for all. */
function candidatesOf(one: LearntOperation): Finding[] {
  const others = one.alternatives.map(({ value, place, doubts }) => ({
    value,
    evidence: doubts.length === 0 ? place : `${place}; against it: ${doubts.join(', ')}`,
  }));
  return [{ value: one.value, evidence: sayEvidence(one) }, ...others];
}

function sayEvidence({ place, reasons }: LearntOperation): string {
  return [place, reasons.join(', ')].filter(Boolean).join(': ');
}

function nameOf({ id }: LearntOperation['gap']): string {
  return id.slice('operation.'.length);
}

/** What became of an operation that was looked for, for people. */
export interface OperationRow {
  /** Such as "create-site". */
  name: string;
  /** Such as "POST /tenant/sites"; "" where nothing fits. */
  call: string;
  state: 'certain' | 'to confirm' | 'not found';
  /** Why it is to be confirmed, or what would show it; "" of what is certain. */
  why: string;
}

/** In the order of the gaps. */
export function rowsOf({ operations }: Learning, findings: Findings): OperationRow[] {
  return operations.map(({ gap }) => {
    const { id } = gap;
    const name = nameOf(gap);
    const why = findings.reason(id) ?? '';
    if (findings.has(id)) return { name, call: callOf(findings.value(id)), state: 'certain', why: '' };
    const [first] = findings.suggestions(id);
    return first === undefined
      ? { name, call: '', state: 'not found', why }
      : { name, call: callOf(first.value), state: 'to confirm', why };
  });
}
