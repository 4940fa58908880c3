// Writes the profile of what was found, in the order of the gaps: values with their evidence, the rest as comments.
import { isDeepStrictEqual } from 'node:util';
import { readYamlMap } from '../../openapi/read-yaml-map.ts';
import { type Gap, gaps } from '../../openapi/registers.ts';
import { visible } from '../../openapi/visible-text.ts';
import { visibleYaml } from '../../openapi/visible-yaml.ts';
import { writeJson } from '../core/parse-json.ts';
import type { Secrets } from '../redaction/redact.ts';
import type { Finding, Findings } from './gap-findings.ts';
import { operationTemplate } from './operation-template.ts';

interface Header {
  /** What the first line begins with: "Profile of …, found out". */
  title: string;
  date: Date;
  version: string;
  /** Why it ended early, if it did. */
  stopped: string | undefined;
  /** What stating an operation would verify: by its gap, the ids of requirements. */
  uses: ReadonlyMap<string, readonly string[]>;
}

/** The text of the profile. */
export function writeProfile(findings: Findings, secrets: Secrets, header: Header): string {
  const sections = Map.groupBy(gaps, ({ id }) => id.split('.')[0] ?? '');
  const blocks = [...sections.values()].map((section) =>
    section.map((gap) => writeGap(gap, { findings, secrets, uses: header.uses })).join('\n'),
  );
  return `${[writeHeader(header, secrets), ...blocks].join('\n\n')}\n`;
}

function writeHeader({ title, date, version, stopped }: Header, secrets: Secrets): string {
  const lines = [
    `${title} by sitepub ${version} on ${date.toISOString().slice(0, 10)}.`,
    'After each value: what it was read from. A gap without a value has its default, which is shown with the reason.',
    ...(stopped === undefined ? [] : [`The discovery ended early: ${stopped}`]),
  ];
  return lines.map((line) => `# ${oneLine(secrets.redact(line))}`).join('\n');
}

interface Sources extends Pick<Header, 'uses'> {
  findings: Findings;
  secrets: Secrets;
}

function writeGap(gap: Gap, { findings, secrets, uses }: Sources): string {
  const finding = findings.finding(gap.id);
  if (finding && isReadAgain(gap.id, finding.value))
    return withComment(gap.id, finding.value, secrets.redact(finding.evidence));
  const lines = entry(gap.id, gap.default);
  const unwritable = finding && `${writeJson(finding.value)} can't be written as YAML`;
  const reason = `not found out: ${secrets.redact(unwritable ?? findings.reason(gap.id) ?? 'nothing showed it')}`;
  const suggestions = findings.suggestions(gap.id);
  const template =
    suggestions.length > 0
      ? suggestions.flatMap((one) => suggest(gap.id, one, secrets))
      : explainOperation(gap, uses.get(gap.id));
  return [
    `# ${lines[0]}  # ${oneLine(reason)}`,
    ...[...lines.slice(1), ...template].map((line) => `# ${line}`),
  ].join('\n');
}

function explainOperation(gap: Gap, requirements: readonly string[] | undefined): string[] {
  return gap.kind === 'operation' ? [explainUse(requirements), ...operationTemplate(gap)] : [];
}

/** A value that the gap may have. */
function suggest(id: string, { value, evidence }: Finding, secrets: Secrets): string[] {
  const comment = `# ${oneLine(secrets.redact(evidence))}`;
  return isReadAgain(id, value) && !holdsToken(value, secrets) ? [comment, ...entry(id, value)] : [comment];
}

/** An answer may have something under the name of a token, which a pointer to it would tell. */
export function holdsToken(value: unknown, secrets: Secrets): boolean {
  return secrets.redact(writeJson(value)).includes('{SITEPUB_TOKEN}');
}

function explainUse(requirements: readonly string[] = []): string {
  return requirements.length > 0
    ? `# it would verify ${requirements.join(', ')}, and is stated so:`
    : '# no requirement needs it alone; it is stated so:';
}

function withComment(id: string, value: unknown, evidence: string): string {
  const [first, ...rest] = entry(id, value);
  return [`${first}  # ${oneLine(evidence)}`, ...rest].join('\n');
}

/** Whether a value is the same when its YAML is read; not so for some characters that YAML forbids. */
function isReadAgain(id: string, value: unknown): boolean {
  const { values, findings } = readYamlMap(entry(id, value).join('\n'), id);
  return findings.length === 0 && isDeepStrictEqual(values[id], value);
}

/** As YAML, one line or several. */
function entry(id: string, value: unknown): string[] {
  return visibleYaml({ [id]: value }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
}

const longestComment = 300;

function oneLine(text: string): string {
  const line = visible(text.replace(/\s+/g, ' ').trim());
  return line.length > longestComment ? `${line.slice(0, longestComment)}…` : line;
}
