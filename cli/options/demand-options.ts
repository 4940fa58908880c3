import type { Demands } from '../../contract-tests/reports/demands.ts';
import { ReportError, readReport } from '../../contract-tests/reports/read-report.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { dropEmpty } from './deployment-options.ts';
import type { Given } from './flags.ts';
import { groupOf, groupsOf, readNames, readNumber } from './read-values.ts';
import { UsageError } from './usage-error.ts';

/** Throws UsageError. */
export function readDemands(given: Given): Demands | undefined {
  const verifiable = readRequirements().flatMap(({ id, excluded }) => (excluded === undefined ? [id] : []));
  const demands = dropEmpty({
    require: readRequired(given, verifiable),
    minVerified: readNumber(given, 'min-verified', verifiable.length),
    baseline: readBaseline(given.text('baseline')),
  });
  return Object.keys(demands).length > 0 ? demands : undefined;
}

function readRequired(given: Given, verifiable: readonly string[]): string[] | undefined {
  if (given.list('require').length === 0) return undefined;
  const ids = readRequirements().map(({ id }) => id);
  const names = readNames(given, 'require', {
    known: ['all', ...groupsOf(ids), ...ids],
    noun: 'requirement or group of requirements',
    otherwise: ' (`sitepub list requirements` shows all)',
  });
  const required = names.flatMap((name) => {
    const found = verifiable.filter((id) => name === 'all' || id === name || groupOf(id) === name);
    if (found.length > 0) return found;
    throw new UsageError(
      `--require: ${name} is a requirement for receivers; leave it out, and verify it with \`sitepub test-receiver\``,
    );
  });
  return [...new Set(required)];
}

function readBaseline(file: string | undefined): Report | undefined {
  if (file === undefined) return undefined;
  const report = readReportOf('--baseline', file);
  const { passed, partly, failed } = report.summary;
  if (passed + partly + failed === 0)
    throw new UsageError(
      `--baseline: nothing was verified in ${file}; give the report of a run that verified something`,
    );
  return report;
}

/** `where` names the flag or command in messages. Throws UsageError. */
export function readReportOf(where: string, file: string): Report {
  try {
    return readReport(file);
  } catch (error) {
    if (error instanceof ReportError) throw new UsageError(`${where}: ${error.message}`);
    throw error;
  }
}
