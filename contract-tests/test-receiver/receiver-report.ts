import { readRequirements } from '../../openapi/registers.ts';
import { createSecrets } from '../redaction/redact.ts';
import { assembleReport, type Report, type RunResult } from '../reports/report.ts';
import type { ReceiverOptions } from './receiver-options.ts';

interface ReportOptions {
  options: ReceiverOptions;
  version: string;
  startedAt: Date;
}

/** The report of a run against a receiver, with the requirements of receivers only. */
export function createReceiverReport(run: RunResult, { options, version, startedAt }: ReportOptions): Report {
  const secrets = createSecrets();
  secrets.add('SITEPUB_WEBHOOK_SECRET', options.secret);
  const requirements = readRequirements()
    .filter(({ target }) => target === 'receiver')
    .map(({ excluded: _excluded, ...requirement }) => requirement);
  return assembleReport(run, {
    target: { base_url: secrets.redact(options.url), profile: options.profile.name, kind: 'receiver' },
    requirements,
    redact: secrets.redact,
    version,
    startedAt,
  });
}
