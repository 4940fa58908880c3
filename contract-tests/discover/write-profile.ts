// Writes the profile of what was found, in the order of the gaps: values with their evidence, the rest as comments.
import { stringify } from 'yaml';
import { parseProfile } from '../../openapi/profile.ts';
import { type Gap, gaps } from '../../openapi/registers.ts';
import type { Secrets } from '../redaction/redact.ts';
import type { Findings } from './gap-findings.ts';

interface Header {
  baseUrl: string;
  date: Date;
  version: string;
  /** Why the discovery ended early, if it did. */
  stopped: string | undefined;
}

/** The text of the profile. Throws ProfileError when it could not be read again. */
export function writeProfile(findings: Findings, secrets: Secrets, header: Header): string {
  const sections = Map.groupBy(gaps, ({ id }) => id.split('.')[0] ?? '');
  const blocks = [...sections.values()].map((section) =>
    section.map((gap) => writeGap(gap, findings, secrets)).join('\n'),
  );
  const text = `${[writeHeader(header, secrets), ...blocks].join('\n\n')}\n`;
  parseProfile(text, 'the profile that was found');
  return text;
}

function writeHeader({ baseUrl, date, version, stopped }: Header, secrets: Secrets): string {
  const lines = [
    `Profile of ${baseUrl}, found out by sitepub ${version} on ${date.toISOString().slice(0, 10)}.`,
    'After each value: what it was read from. A gap without a value has its default, which is shown with the reason.',
    ...(stopped === undefined ? [] : [`The discovery ended early: ${stopped}`]),
  ];
  return lines.map((line) => `# ${oneLine(secrets.redact(line))}`).join('\n');
}

function writeGap(gap: Gap, findings: Findings, secrets: Secrets): string {
  const finding = findings.finding(gap.id);
  if (finding) return withComment(gap.id, finding.value, secrets.redact(finding.evidence));
  const lines = entry(gap.id, gap.default);
  const reason = `not found out: ${secrets.redact(findings.reason(gap.id) ?? 'nothing showed it')}`;
  return [`# ${lines[0]}  # ${oneLine(reason)}`, ...lines.slice(1).map((line) => `# ${line}`)].join('\n');
}

function withComment(id: string, value: unknown, evidence: string): string {
  const [first, ...rest] = entry(id, value);
  return [`${first}  # ${oneLine(evidence)}`, ...rest].join('\n');
}

/** As YAML, one line or several. */
function entry(id: string, value: unknown): string[] {
  return stringify({ [id]: value }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
}

const longestComment = 300;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longestComment ? `${line.slice(0, longestComment)}…` : line;
}
