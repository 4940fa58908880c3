// Reads the file of --expected-failures: a YAML map from requirement or check id to reason and last day.

import { isObject } from '../../openapi/json.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { readYamlMap } from '../../openapi/read-yaml.ts';
import { readRequirements } from '../../openapi/registers.ts';

/** Why a failure is accepted. */
export interface ExpectedFailure {
  reason: string;
  /** The last day on which it is accepted, such as "2026-12-31"; null for no end. */
  until: string | null;
}

/** An entry of the file, with the ids of the checks that it covers. */
export interface ExpectedFailureEntry extends ExpectedFailure {
  id: string;
  line: number;
  checks: readonly string[];
}

export interface ExpectedFailures {
  file: string;
  entries: readonly ExpectedFailureEntry[];
}

/** The file is missing or invalid. The message has one line for each mistake. */
export class ExpectedFailuresError extends Error {}

export interface CheckName {
  id: string;
  requirement: string;
}

const mostBytes = 1_048_576;

/** Reads a file of expected failures. Throws ExpectedFailuresError. */
export function loadExpectedFailures(file: string, checks: readonly CheckName[]): ExpectedFailures {
  const text = readNamedText(file, mostBytes, (reason, advice = 'pass the path of a YAML file') => {
    const message = `--expected-failures: ${file} can't be read (${reason}); ${advice} or omit the flag`;
    return new ExpectedFailuresError(message);
  });
  return parseExpectedFailures(text, file, checks);
}

/** Parses the text of such a file; messages call it `file`. Throws ExpectedFailuresError. */
export function parseExpectedFailures(
  text: string,
  file: string,
  checks: readonly CheckName[],
): ExpectedFailures {
  const { values, lines, findings } = readYamlMap(
    text,
    `expected a map of requirement or check ids, such as ${example}`,
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

/** A line for the file that accepts a failure for 90 days. */
export function acceptingLine(id: string, startedAt: string): string {
  const until = new Date(Date.parse(startedAt) + 90 * dayMs).toISOString().slice(0, 10);
  return `${id}: { reason: "why it is accepted", until: ${until} }`;
}

const example = 'HOOK-7: { reason: "fixed in release 12", until: 2026-12-31 }';

function explainUnknown(id: string, ids: readonly string[]): string {
  return `there is no requirement or check "${id}"${didYouMean(id, ids)} (\`sitepub list requirements\` and \`sitepub list checks\` list them)`;
}

function explainEntry(id: string, value: unknown): string[] {
  if (!isObject(value)) return [`${id} needs a map with a reason, for example ${example}`];
  const { reason, until = null, ...others } = value;
  const mistakes = Object.keys(others).map((name) => explainMember(id, name));
  if (typeof reason !== 'string' || reason.trim() === '')
    mistakes.push(`${id} needs a reason as text, for example ${example}`);
  if (until !== null && !isDay(until))
    mistakes.push(
      `${id}: until is ${JSON.stringify(until)}; expected the last day, such as 2026-12-31, or no "until"`,
    );
  return mistakes;
}

function explainMember(id: string, name: string): string {
  return `${id} has "${name}", but an entry has only reason and until${didYouMean(name, ['reason', 'until'])}`;
}

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function checksOf(id: string, checks: readonly CheckName[]): string[] {
  return checks.filter((check) => check.id === id || check.requirement === id).map((check) => check.id);
}

/** A stale or expired entry. It fails the run. */
export type OutdatedEntry = Pick<ExpectedFailureEntry, 'id' | 'line' | 'reason' | 'until'>;

/** The state of the file after a run. */
export interface ExpectedFailuresReport {
  file: string;
  /** How many requirements failed as expected. */
  count: number;
  /** Entries whose checks all ran and passed. */
  stale: OutdatedEntry[];
  /** Entries whose last day has passed. They accept no failure. */
  expired: OutdatedEntry[];
}
