// What was learnt of an operation, and what its answers show where the source does not say what is in them.
import { isObject } from '../../../openapi/json.ts';
import type { Operation } from '../../../openapi/operations.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { pointersSeen } from '../../learn/answer.ts';
import type { LearntOperation } from '../../learn/learn-operations.ts';
import { operationsIn, type Probe } from '../probe.ts';

export interface LearntLine {
  gap: string;
  value: Record<string, unknown>;
  /** From what it was learnt, and what was seen of it. */
  evidence: string;
  /** As it was read. */
  source: LearntOperation;
}

/** What was learnt of the operation of a gap; undefined where nothing was, or where it was given, which is not judged. */
export function learntLine({ findings, options }: Probe, gap: string | undefined): LearntLine | undefined {
  const source = options.learning?.operations.find((one) => one.gap.id === gap);
  if (!source || Object.hasOwn(options.given, source.gap.id)) return undefined;
  const { value, evidence = '' } = findings.finding(source.gap.id) ?? {};
  return isObject(value) ? { gap: source.gap.id, value, evidence, source } : undefined;
}

/** Adds to what was learnt where in the answer the values are that no pointer was learnt of. What was given stays as it is. */
export function completeLearnt(probe: Probe, operation: Operation, exchange: Exchange): undefined {
  const { findings, seen } = probe;
  const learnt = learntLine(probe, operation.gap);
  if (!learnt || !succeeded(exchange)) return;
  const { gap, value, evidence } = learnt;
  const shown = Object.entries(pointersSeen(gap, exchange.response.json));
  const added = shown.filter(([read]) => value[read] === undefined);
  if (added.length === 0) return;
  const names = added.map(([read]) => read).join(', ');
  const completed = { ...value, ...Object.fromEntries(added) };
  if (!findings.fits(gap, completed)) return;
  findings.found(gap, completed, `${names}: as its answer shows; ${evidence}`);
  seen.operations = operationsIn(findings);
}
