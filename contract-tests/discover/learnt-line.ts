import { isObject } from '../../openapi/json.ts';
import type { Probe } from './discovery-probe.ts';

/** What was learnt of a gap of an operation, and from what; undefined where nothing was, or where it was given, which is not judged. */
export function learntLine(
  { findings, options }: Probe,
  gap: string | undefined,
): { gap: string; value: Record<string, unknown>; evidence: string } | undefined {
  if (!options.learning || gap === undefined || Object.hasOwn(options.given, gap)) return undefined;
  const { value, evidence = '' } = findings.finding(gap) ?? {};
  return isObject(value) ? { gap, value, evidence } : undefined;
}
