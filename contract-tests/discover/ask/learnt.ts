// What was learnt of an operation, and what its answers show where the source does not say what is in them.
import { isObject } from '../../../openapi/json.ts';
import type { Operation } from '../../../openapi/operations.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { pointersSeen } from '../../learn/pointers-seen.ts';
import { operationsIn, type Probe } from '../probe.ts';

export interface LearntLine {
  gap: string;
  value: Record<string, unknown>;
  /** From what it was learnt, and what was seen of it. */
  evidence: string;
}

/** What was learnt of a gap of an operation, and from what; undefined where nothing was, or where it was given, which is not judged. */
export function learntLine({ findings, options }: Probe, gap: string | undefined): LearntLine | undefined {
  if (!options.learning || gap === undefined || Object.hasOwn(options.given, gap)) return undefined;
  const { value, evidence = '' } = findings.finding(gap) ?? {};
  return isObject(value) ? { gap, value, evidence } : undefined;
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
