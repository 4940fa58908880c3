// Reads the known failures that are accepted for a while: a YAML map from the id of a requirement or a check to the reason.

import { isObject } from '../../openapi/json.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { readYamlMap } from '../../openapi/read-yaml.ts';
import { readRequirements } from '../../openapi/registers.ts';

/** Why a failure is accepted, and the last day on which it is. */
export interface ExpectedFailure {
  reason: string;
  until: string | null;
}

/** An entry of a file, and the ids of its checks. */
export interface ExpectedFailureEntry extends ExpectedFailure {
  id: string;
  line: number;
  checks: readonly string[];
}

export interface ExpectedFailures {
  file: string;
  entries: readonly ExpectedFailureEntry[];
}

/** A file that can't be used. The message has a line for each mistake. */
export class ExpectedFailuresError extends Error {}

/** The identifiers of a check. */
export interface CheckName {
  id: string;
  requirement: string;
}

/** It names a few checks. */
const mostBytes = 1_048_576;

/** Reads a file of expected failures. Throws ExpectedFailuresError. */
export function loadExpectedFailures(file: string, checks: readonly CheckName[]): ExpectedFailures {
  const text = readNamedText(file, mostBytes, (reason, advice = 'give the path of a YAML file') => {
    const message = `--expected-failures: ${file} can't be read (${reason}); ${advice}, or leave the flag out`;
    return new ExpectedFailuresError(message);
  });
  return parseExpectedFailures(text, file, checks);
}

/** The expected failures of a YAML text; `file` is its name in messages. Throws ExpectedFailuresError. */
export function parseExpectedFailures(
  text: string,
  file: string,
  checks: readonly CheckName[],
): ExpectedFailures {
  const { values, lines, findings } = readYamlMap(
    text,
    `expected failures are a map of requirement or check id to reason, such as ${example}`,
  );
  const ids = [...readRequirements().map(({ id }) => id), ...checks.map(({ id }) => id)];
  const rows = Object.entries(values).map(([id, value]) => ({ id, value, line: lines.get(id) ?? 1 }));
  const mistakes = rows.flatMap(({ id, value, line }) =>
    (ids.includes(id) ? explainEntry(id, value) : [explainUnknown(id, ids)]).map((text) => ({ line, text })),
  );
  const problems = [...findings, ...mistakes].map(({ line, text }) => `${file}:${line}: ${text}`);
  if (problems.length > 0) throw new ExpectedFailuresError(problems.join('\n'));
  const entries = rows.map(({ id, value, line }) => {
    const { reason, until = null } = value as { reason: string; until?: string | null };
    return { id, line, reason: reason.trim(), until, checks: checksOf(id, checks) };
  });
  return { file, entries };
}

const dayMs = 86_400_000;

/** The line of the file that accepts a failure for ninety days. */
export function acceptingLine(id: string, startedAt: string): string {
  const until = new Date(Date.parse(startedAt) + 90 * dayMs).toISOString().slice(0, 10);
  return `${id}: { reason: "why it is accepted", until: ${until} }`;
}

const example = 'HOOK-7: { reason: "fixed in release 12", until: 2026-12-31 }';

function explainUnknown(id: string, ids: readonly string[]): string {
  return `there is no requirement or check "${id}"${didYouMean(id, ids)} (\`sitepub list requirements\` and \`sitepub list checks\` show all)`;
}

function explainEntry(id: string, value: unknown): string[] {
  if (!isObject(value)) return [`${id} needs a map with a reason, such as ${example}`];
  const { reason, until = null, ...others } = value;
  const mistakes = Object.keys(others).map((name) => explainMember(id, name));
  if (typeof reason !== 'string' || reason.trim() === '')
    mistakes.push(`${id} needs a reason as text, such as ${example}`);
  if (until !== null && !isDay(until))
    mistakes.push(
      `${id}: until is ${JSON.stringify(until)}; expected its last day, such as 2026-12-31, or nothing`,
    );
  return mistakes;
}

function explainMember(id: string, name: string): string {
  return `${id} has "${name}", and an entry has reason and until alone${didYouMean(name, ['reason', 'until'])}`;
}

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function checksOf(id: string, checks: readonly CheckName[]): string[] {
  return checks.filter((check) => check.id === id || check.requirement === id).map((check) => check.id);
}

/** An entry that fails the run, with its line in the file. */
export type OutdatedEntry = Pick<ExpectedFailureEntry, 'id' | 'line' | 'reason' | 'until'>;

/** The state of a file of expected failures after a run. */
export interface ExpectedFailuresReport {
  file: string;
  /** How many requirements failed as expected. */
  count: number;
  /** Entries whose checks were made and passed. */
  stale: OutdatedEntry[];
  /** Entries whose last day is over; they excuse nothing. */
  expired: OutdatedEntry[];
}
