// What was learnt, among the findings that a profile is written from: added, completed and taken back by calls, and told.
import { isObject } from '../../openapi/json.ts';
import type { Finding, Findings } from '../findings/gap-findings.ts';
import { sayCall } from '../findings/write-profile.ts';
import { pointersSeen } from './answer.ts';
import type { Learning, LearntOperation } from './learn-operations.ts';

/** Adds what is certain as found; suggests the rest. */
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
    return { value, evidence: doubts.length > 0 ? `${place}; against it: ${doubts.join(', ')}` : place };
  });
}

/** What is known, and what of that was learnt. */
interface Known {
  findings: Findings;
  options: { learning?: Learning };
}

/** What was learnt of the operation of a gap, with its value and evidence by now; undefined where nothing is found. */
export function learntLine({ findings, options }: Known, gap = '') {
  const learnt = options.learning?.operations.find((one) => one.gap.id === gap);
  const { value, evidence = '' } = findings.finding(gap) ?? {};
  return learnt && isObject(value) ? { ...learnt, value, evidence } : undefined;
}

/** Adds where in an answer the values are that no pointer was learnt of. Returns whether there are any. */
export function completeLine(known: Known, gap: string | undefined, answer: unknown): boolean {
  const line = learntLine(known, gap);
  if (!line) return false;
  const { id } = line.gap;
  const added = Object.entries(pointersSeen(id, answer)).filter(([read]) => line.value[read] === undefined);
  const completed = { ...line.value, ...Object.fromEntries(added) };
  if (added.length === 0 || !known.findings.fits(id, completed)) return false;
  const names = added.map(([read]) => read).join(', ');
  known.findings.found(id, completed, `${names}: as its answer shows; ${line.evidence}`);
  return true;
}

/** Leaves a line to people, for a reason, with what else it may be. */
export function takeBack(findings: Findings, learnt: LearntOperation, reason: string): undefined {
  const { id } = learnt.gap;
  const line = findings.finding(id);
  if (!line) return;
  findings.revoke(id, reason);
  // Another line may say that this call does the same.
  findings.reconcile();
  findings.suggest(id, [line, ...othersOf(learnt)]);
}

/** Those that read clearly: each is stated once it has been called on something that was made for that. */
export function deletionsIn(learning: Learning | undefined): readonly LearntOperation[] {
  const certain = learning?.operations.filter(({ isCertain }) => isCertain) ?? [];
  return certain.filter(({ gap }) => gap.id.startsWith('operation.delete-'));
}

/** Takes the deletions back that were not called, for a reason. `called`: by gap. */
export function takeBackUncalled(
  learning: Learning,
  findings: Findings,
  { called, reason }: { called: ReadonlySet<string>; reason: string },
): void {
  for (const one of deletionsIn(learning))
    if (!called.has(one.gap.id)) takeBack(findings, { ...one, alternatives: [] }, reason);
}

/** What became of an operation such as "create-site", for people: its call, if one fits, and why it is not certain, if it is not. */
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
