import { isObject } from '../../../openapi/json.ts';
import type { Probe } from '../discovery-probe.ts';

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
