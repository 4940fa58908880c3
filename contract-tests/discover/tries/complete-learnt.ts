// What an answer shows of an operation, where the source that it was learnt from does not say what is in its answers.
import type { Operation } from '../../../openapi/operations.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { pointersSeen } from '../../learn/pointers-seen.ts';
import type { Probe } from '../discovery-probe.ts';
import { givenOperations } from '../given-operations.ts';
import { learntLine } from './learnt-line.ts';

/** Adds to what was learnt where in the answer the values are that no pointer was learnt of. What was given stays as it is. */
export function completeLearnt(probe: Probe, operation: Operation, exchange: Exchange): undefined {
  const { findings } = probe;
  const learnt = learntLine(probe, operation.gap);
  if (!learnt || !succeeded(exchange)) return;
  const { gap, value, evidence } = learnt;
  const seen = Object.entries(pointersSeen(gap, exchange.response.json));
  const added = seen.filter(([read]) => value[read] === undefined);
  if (added.length === 0) return;
  const names = added.map(([read]) => read).join(', ');
  const completed = { ...value, ...Object.fromEntries(added) };
  if (!findings.fits(gap, completed)) return;
  findings.found(gap, completed, `${names}: as its answer shows; ${evidence}`);
  probe.operations = givenOperations(findings.values());
}
