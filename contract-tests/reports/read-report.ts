// Reads a report from its JSON file, for comparisons.
import { readFileSync } from 'node:fs';
import { isObject } from '../../openapi/json.ts';
import { createAjv } from '../../openapi/libraries.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import type { Report } from './report.ts';

/** A file that is no report of a deployment. The message says why, and what to do. */
export class ReportError extends Error {}

/** The report of a deployment in a file. Throws ReportError. */
export function readReport(file: string): Report {
  const value = parse(file, readText(file));
  const { schema, target } = isObject(value) ? value : {};
  if (schema === undefined) throw new ReportError(`${file} is no report of sitepub; ${advice}`);
  if (schema !== 2)
    throw new ReportError(
      `${file} is a report of version ${JSON.stringify(schema)}, and version 2 is read here; ${advice}`,
    );
  if (isObject(target) && target.kind === 'receiver')
    throw new ReportError(
      `${file} is the report of a receiver (\`sitepub test-receiver\`), and not of a deployment; ${advice}`,
    );
  const problem = reportProblem(value);
  if (problem !== undefined) throw new ReportError(`${file} is no whole report: ${problem}; ${advice}`);
  return value as Report;
}

/** Some times the longest report that was seen. */
const mostBytes = 128 * 1_048_576;

const advice = 'give one that `sitepub test --report json=FILE` has written';

function readText(file: string): string {
  return readNamedText(file, mostBytes, (reason, own = advice) => {
    return new ReportError(`${file} can't be read (${reason}); ${own}`);
  });
}

function parse(file: string, text: string): unknown {
  try {
    // Editors of some systems begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ReportError(`${file} is no JSON (${(error as Error).message}); ${advice}`);
  }
}

/** Where a value differs from the schema of reports; undefined where it does not. */
function reportProblem(value: unknown): string | undefined {
  const file = new URL('../../openapi/report.schema.json', import.meta.url);
  const validate = createAjv({ allErrors: false, verbose: false }).compile(
    JSON.parse(readFileSync(file, 'utf8')),
  );
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return `${first?.instancePath} ${first?.message}`.trim();
}
