// Adds learnt operations to the findings, and completes or revokes them after calls.
import { isObject } from '../../openapi/json.ts';
import type { Finding, Findings } from '../findings/gap-findings.ts';
import { sayCall } from '../findings/write-profile.ts';
import { pointersSeen } from './answer.ts';
import type { Learning, LearntOperation } from './learn-operations.ts';

/** Adds certain operations as found and suggests the others. */
export function addToFindings({ operations }: Learning, findings: Findings): undefined {
  for (const one of operations) {
    const { gap, value, place, reasons = [], doubts, isCertain } = one;
    const evidence = [place, reasons.join(', ')].filter(Boolean).join(': ');
    if (isCertain) findings.found(gap.id, value, evidence);
    else findings.missed([gap.id], doubts.join('; '));
    if (!isCertain && value) findings.suggest(gap.id, [{ value, evidence }, ...othersOf(one)]);
  }
  findings.reconcile();
}

function othersOf({ alternatives }: LearntOperation): Finding[] {
  return alternatives.map(({ value, place, doubts }) => {
    return { value, evidence: doubts.length > 0 ? `${place}; doubts: ${doubts.join(', ')}` : place };
  });
}

interface Known {
  findings: Findings;
  options: { learning?: Learning };
}

/** The learnt operation of a gap with its current value and evidence, if found. */
export function learntLine({ findings, options }: Known, gap = '') {
  const learnt = options.learning?.operations.find((one) => one.gap.id === gap);
  const { value, evidence = '' } = findings.finding(gap) ?? {};
  return learnt && isObject(value) ? { ...learnt, value, evidence } : undefined;
}

/** Adds missing pointers from an actual answer. Returns whether it added any. */
export function completeLine(known: Known, gap: string | undefined, answer: unknown): boolean {
  const line = learntLine(known, gap);
  if (!line) return false;
  const { id } = line.gap;
  const added = Object.entries(pointersSeen(id, answer)).filter(([read]) => line.value[read] === undefined);
  const completed = { ...line.value, ...Object.fromEntries(added) };
  if (added.length === 0 || !known.findings.fits(id, completed)) return false;
  const names = added.map(([read]) => read).join(', ');
  known.findings.found(id, completed, `${names} read from its answer; ${line.evidence}`);
  return true;
}

/** Revokes an operation and suggests it with its alternatives, for a person to confirm. */
export function takeBack(findings: Findings, learnt: LearntOperation, reason: string): undefined {
  const { id } = learnt.gap;
  const line = findings.finding(id);
  if (!line) return;
  findings.revoke(id, reason);
  // Another operation may state the same call.
  findings.reconcile();
  findings.suggest(id, [line, ...othersOf(learnt)]);
}

/** Certain deletions. A profile states one only after a call on a resource created for it. */
export function deletionsIn(learning: Learning | undefined): readonly LearntOperation[] {
  const certain = learning?.operations.filter(({ isCertain }) => isCertain) ?? [];
  return certain.filter(({ gap }) => gap.id.startsWith('operation.delete-'));
}

/** `called`: gap ids. */
export function takeBackUncalled(
  learning: Learning,
  findings: Findings,
  { called, reason }: { called: ReadonlySet<string>; reason: string },
): void {
  for (const one of deletionsIn(learning))
    if (!called.has(one.gap.id)) takeBack(findings, { ...one, alternatives: [] }, reason);
}

/** `name`: for example "create-site". `call`: "" if none fits. `why`: why it is not certain. */
export interface OperationRow {
  name: string;
  call: string;
  state: 'certain' | 'to confirm' | 'not found';
  why: string;
}

export function rowsOf({ operations }: Learning, findings: Findings): OperationRow[] {
  return operations.map(({ gap: { id } }) => {
    const line = findings.finding(id) ?? findings.suggestions(id)[0];
    const state = findings.has(id) ? 'certain' : line ? 'to confirm' : 'not found';
    const why = state === 'certain' ? '' : (findings.reason(id) ?? '');
    return { name: id.replace('operation.', ''), call: line ? sayCall(line.value) : '', state, why };
  });
}
