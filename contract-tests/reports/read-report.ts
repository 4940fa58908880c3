import { readFileSync } from 'node:fs';
import { isObject } from '../../openapi/json.ts';
import { createAjv } from '../../openapi/libraries.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import type { Report } from './report.ts';

/** The file is not a usable report. The message says why and what to do. */
export class ReportError extends Error {}

/** Reads the JSON report of a deployment. Throws ReportError. */
export function readReport(file: string): Report {
  const value = parse(file, readText(file));
  const { schema, target } = isObject(value) ? value : {};
  if (schema === undefined) throw new ReportError(`${file} is not a sitepub report; ${advice}`);
  if (schema !== 2)
    throw new ReportError(
      `${file} has report version ${JSON.stringify(schema)}, but this sitepub reads version 2; ${advice}`,
    );
  if (isObject(target) && target.kind === 'receiver')
    throw new ReportError(
      `${file} is the report of a receiver (\`sitepub test-receiver\`), not of a deployment; ${advice}`,
    );
  const problem = reportProblem(value);
  if (problem !== undefined) throw new ReportError(`${file} is not a valid report: ${problem}; ${advice}`);
  return value as Report;
}

/** Several times the size of the longest known report. */
const mostBytes = 128 * 1_048_576;

const advice = 'pass a file written by `sitepub test --report json=FILE`';

function readText(file: string): string {
  return readNamedText(file, mostBytes, (reason, own = advice) => {
    return new ReportError(`${file} can't be read (${reason}); ${own}`);
  });
}

function parse(file: string, text: string): unknown {
  try {
    // Some editors write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ReportError(`${file} is not JSON (${(error as Error).message}); ${advice}`);
  }
}

/** The first violation of the report schema, if any. */
function reportProblem(value: unknown): string | undefined {
  const file = new URL('../../openapi/report.schema.json', import.meta.url);
  const validate = createAjv({ allErrors: false, verbose: false }).compile(
    JSON.parse(readFileSync(file, 'utf8')),
  );
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return `${first?.instancePath} ${first?.message}`.trim();
}
