// The lines of a profile that were learnt: what calling an operation shows of its own.
import { isObject } from '../../openapi/json.ts';
import type { Findings } from '../findings/gap-findings.ts';
import { pointersSeen } from './answer.ts';
import type { Learning, LearntOperation } from './learn-operations.ts';

export interface LearntLine {
  gap: string;
  value: Record<string, unknown>;
  /** From what it was learnt, and what was seen of it. */
  evidence: string;
  /** As it was read. */
  source: LearntOperation;
}

/** What is known, and what of that was learnt and given. */
interface Known {
  findings: Findings;
  options: { learning?: Learning; given: Readonly<Record<string, unknown>> };
}

/** What was learnt of the operation of a gap; undefined where nothing was, or where it was given, which is not judged. */
export function learntLine({ findings, options }: Known, gap: string | undefined): LearntLine | undefined {
  const source = options.learning?.operations.find((one) => one.gap.id === gap);
  if (!source || Object.hasOwn(options.given, source.gap.id)) return undefined;
  const { value, evidence = '' } = findings.finding(source.gap.id) ?? {};
  return isObject(value) ? { gap: source.gap.id, value, evidence, source } : undefined;
}

/** Adds where in an answer the values are that no pointer was learnt of. Returns whether there are any. What was given stays as it is. */
export function completeLine(known: Known, of: string | undefined, answer: unknown): boolean {
  const learnt = learntLine(known, of);
  if (!learnt) return false;
  const { gap, value, evidence } = learnt;
  const added = Object.entries(pointersSeen(gap, answer)).filter(([read]) => value[read] === undefined);
  const completed = { ...value, ...Object.fromEntries(added) };
  if (added.length === 0 || !known.findings.fits(gap, completed)) return false;
  const names = added.map(([read]) => read).join(', ');
  known.findings.found(gap, completed, `${names}: as its answer shows; ${evidence}`);
  return true;
}

/** Leaves a line to people, with what else it may be. `wrong`: what its answer has shown. */
export function takeBackLine(
  { findings }: Known,
  { gap, value, evidence, source }: LearntLine,
  wrong: string,
): undefined {
  findings.revoke(gap, `it was called, and ${wrong}`);
  // Another line may say that this call does the same.
  findings.reconcile();
  findings.suggest(gap, [
    { value, evidence: `read from ${evidence}` },
    ...source.alternatives.map((other) => ({ value: other.value, evidence: `or this, ${other.place}` })),
  ]);
}

/** The deletions as they were learnt: one that was refused may be accepted once what is on a site is deleted. */
export function learntDeletions(learning: Learning | undefined): Record<string, unknown> {
  const learnt = learning?.operations.filter((one) => one.isCertain || one.waitsForCall) ?? [];
  const deletions = learnt.filter(({ gap }) => gap.id.startsWith('operation.delete-'));
  return Object.fromEntries(deletions.map(({ gap, value }) => [gap.id, value]));
}

/** Says of what stands as it was read that it was not called. `called`: by gap. */
export function noteUncalled(
  { operations }: Learning,
  findings: Findings,
  called: ReadonlyMap<string, unknown>,
): void {
  for (const { gap } of operations) {
    const { value, evidence } = findings.finding(gap.id) ?? {};
    if (value !== undefined && !called.has(gap.id)) findings.found(gap.id, value, `not called; ${evidence}`);
  }
}
