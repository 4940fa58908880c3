import { readRequirements } from '../../openapi/registers.ts';
import { assembleReport, type Report, type RunResult } from '../reports/report.ts';
import { type ReceiverOptions, secretsOfReceiver } from './receiver-options.ts';

interface ReportOptions {
  options: ReceiverOptions;
  version: string;
  startedAt: Date;
}

/** Contains only the requirements of receivers. */
export function createReceiverReport(run: RunResult, { options, version, startedAt }: ReportOptions): Report {
  const { redact } = secretsOfReceiver(options);
  const requirements = readRequirements()
    .filter(({ target }) => target === 'receiver')
    .map(({ excluded: _excluded, ...requirement }) => requirement);
  return assembleReport(run, {
    target: { base_url: redact(options.url), profile: options.profile.name, kind: 'receiver' },
    requirements,
    redact,
    version,
    startedAt,
  });
}
