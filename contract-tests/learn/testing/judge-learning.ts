// Judges what was learnt from a description by what its deployment does.
import { isDeepStrictEqual } from 'node:util';
import { findGap } from '../../../openapi/registers.ts';
import { doneBy, readCall } from '../../../openapi/stated-call.ts';
import { compareCalls, compareTemplates, type Differences } from './compare-calls.ts';
import type { ExpectedValue } from './expected-values.ts';

export interface LearntValue {
  value: unknown;
  isCertain: boolean;
}

interface JudgedValue {
  gap: string;
  /** `untold`: nothing was learnt, and nothing could be; `not-offered`: the deployment has no such operation, and none was taken for it. */
  verdict: 'right' | 'doubtful' | 'missing' | 'wrong-certain' | 'untold' | 'not-offered';
  /** What is wrong, each in words; of a doubtful value too. */
  differences: readonly string[];
  /** What could have been learnt besides, and what was learnt that the description does not tell. */
  notes: readonly string[];
}

interface LearningCounts {
  right: number;
  doubtful: number;
  missing: number;
  wrongCertain: number;
}

export interface Judgement {
  operations: LearningCounts;
  /** What the four documented endpoints show. */
  documented: LearningCounts;
  values: readonly JudgedValue[];
}

/** Learnt values of gaps that nothing is expected of are left alone. */
export function judgeLearning(
  learnt: Readonly<Record<string, LearntValue | undefined>>,
  expected: Readonly<Record<string, ExpectedValue>>,
): Judgement {
  const values = Object.entries(expected).map(([gap, one]) => judgeValue(gap, learnt[gap], one));
  const isOperation = ({ gap }: JudgedValue) => gap.startsWith('operation.');
  return {
    operations: count(values.filter(isOperation)),
    documented: count(values.filter((one) => !isOperation(one))),
    values,
  };
}

function count(values: readonly JudgedValue[]): LearningCounts {
  const having = (verdict: JudgedValue['verdict']) => values.filter((one) => one.verdict === verdict).length;
  return {
    right: having('right'),
    doubtful: having('doubtful'),
    missing: having('missing'),
    wrongCertain: having('wrong-certain'),
  };
}

function judgeValue(gap: string, learnt: LearntValue | undefined, expected: ExpectedValue): JudgedValue {
  if (gap.startsWith('operation.')) return judgeOperation(gap, learnt, expected);
  const { value, isCertain } = learnt ?? { value: findGap(gap)?.default, isCertain: true };
  const { differences, notes } = compareValues(gap, value, expected.value);
  if (learnt && !isCertain) return { gap, verdict: 'doubtful', differences, notes };
  if (differences.length === 0) return { gap, verdict: 'right', differences, notes };
  if (learnt) return { gap, verdict: 'wrong-certain', differences, notes };
  return { gap, verdict: expected.known === 'untold' ? 'untold' : 'missing', differences, notes };
}

function judgeOperation(gap: string, learnt: LearntValue | undefined, expected: ExpectedValue): JudgedValue {
  const isLearnt = learnt !== undefined && (readCall(learnt.value) ?? doneBy(learnt.value)) !== undefined;
  if (expected.value === undefined) {
    const isWrong = isLearnt && learnt.isCertain;
    const differences = isWrong ? [`learnt ${show(learnt.value)}, which the deployment does not offer`] : [];
    return { gap, verdict: isWrong ? 'wrong-certain' : 'not-offered', differences, notes: [] };
  }
  if (!isLearnt) {
    const verdict = expected.known === 'untold' ? 'untold' : 'missing';
    return { gap, verdict, differences: [`nothing learnt of ${show(expected.value)}`], notes: [] };
  }
  const { differences, notes } = compareOperations(gap, learnt.value, expected);
  if (!learnt.isCertain) return { gap, verdict: 'doubtful', differences, notes };
  return { gap, verdict: differences.length > 0 ? 'wrong-certain' : 'right', differences, notes };
}

function compareOperations(gap: string, learnt: unknown, expected: ExpectedValue): Differences {
  const [call, right] = [readCall(learnt), readCall(expected.value)];
  if (call && right) return compareCalls(gap, call, { call: right, untold: expected.untold });
  const isSame = doneBy(learnt) !== undefined && doneBy(learnt) === doneBy(expected.value);
  return {
    differences: isSame ? [] : [`learnt ${show(learnt)} instead of ${show(expected.value)}`],
    notes: [],
  };
}

function compareValues(gap: string, learnt: unknown, right: unknown): Differences {
  if (isDeepStrictEqual(learnt, right)) return { differences: [], notes: [] };
  if (findGap(gap)?.kind === 'template' && learnt !== 'none' && right !== 'none')
    return compareTemplates(learnt, right);
  return { differences: [`learnt ${show(learnt)} instead of ${show(right)}`], notes: [] };
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
