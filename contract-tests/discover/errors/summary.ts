import { findGap } from '../../../openapi/registers.ts';
import { type Exchange, envelopeOf } from '../../core/exchange.ts';
import { kindOfError } from '../ask/refusals.ts';
import type { Probe } from '../probe.ts';

const conventional = findGap('errors.http-status')?.conventional ?? {};

/** Finds the status and code of each kind of error, and the form of `data`, from all refusals. */
export function summarizeRefusals({ seen: { refusals, failures }, findings }: Probe): undefined {
  const seen = [...refusals].filter(
    ([, exchange]) => isErrorStatus(exchange.response.status) && !failures.passing.has(kindOfError(exchange)),
  );
  const kinds = seen.map(([kind]) => kind).join(', ');
  if (seen.length === 0) return findings.missed(errorGaps, 'the deployment refused no request');
  const statuses = Object.fromEntries(seen.map(([kind, { response }]) => [kind, response.status]));
  findings.found('errors.http-status', describeStatuses(statuses), `the refusals of ${kinds}`);
  const codes = seen.flatMap(([kind, exchange]) => {
    const { code } = envelopeOf(exchange);
    return Number.isInteger(code) && code !== 0 ? [[kind, code] as const] : [];
  });
  if (codes.length > 0)
    findings.found(
      'errors.codes',
      Object.fromEntries(codes),
      `the refusals of ${codes.map(([kind]) => kind).join(', ')}`,
    );
  const refused = seen.map(([, exchange]) => exchange);
  findData(findings, refused);
}

/** A redirect does not come from the service; above 599 is not an HTTP status. */
function isErrorStatus(status: number): boolean {
  return status < 300 || (status >= 400 && status <= 599);
}

const errorGaps = ['errors.http-status', 'errors.codes', 'errors.data'];

/** Fewest kinds of errors that prove a rule for all. */
const minKinds = 3;

function describeStatuses(statuses: Record<string, number>): unknown {
  const all = Object.entries(statuses);
  if (all.length < minKinds) return statuses;
  if (all.every(([, status]) => status === 200)) return 'always-200';
  return all.every(([kind, status]) => conventional[kind] === status) ? 'conventional' : statuses;
}

function findData(findings: Probe['findings'], refusals: readonly Exchange[]): void {
  const envelopes = refusals.map(envelopeOf).filter((envelope) => 'code' in envelope);
  const forms = new Set(envelopes.map(dataOf));
  const [form] = forms;
  if (forms.size === 1 && form !== undefined) findings.found('errors.data', form, 'data of every refusal');
  else findings.missed(['errors.data'], 'data differs between refusals');
}

function dataOf(envelope: Record<string, unknown>): string | undefined {
  if (!('data' in envelope)) return 'absent';
  const { data } = envelope;
  if (data === null) return 'null-value';
  return typeof data === 'object' && Object.keys(data).length === 0 ? 'empty-object' : undefined;
}
