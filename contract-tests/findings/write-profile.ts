// Writes findings as a profile in the order of the gaps: values with their evidence, missing ones as comments.
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../openapi/json.ts';
import { readYamlMap } from '../../openapi/read-yaml.ts';
import { type Gap, gaps } from '../../openapi/registers.ts';
import { writeJson } from '../core/parse-json.ts';
import { visible } from '../core/visible-text.ts';
import { visibleYaml } from '../core/visible-yaml.ts';
import type { Secrets } from '../redaction/redact.ts';
import type { Finding, Findings } from './gap-findings.ts';

interface Header {
  /** The beginning of the first line: "Profile of …, found out". */
  title: string;
  date: Date;
  version: string;
  /** Why the discovery ended early, if so. */
  stopped: string | undefined;
  /** Omits other gaps without a value. */
  only?: 'operations';
}

export function writeProfile(findings: Findings, secrets: Secrets, header: Header): string {
  const written = gaps.filter(
    ({ id, kind }) => header.only === undefined || kind === 'operation' || findings.has(id),
  );
  const sections = Map.groupBy(written, ({ id }) => id.split('.')[0] ?? '');
  const blocks = [...sections.values()].map((section) =>
    section.flatMap((gap) => writeGap(gap, findings, secrets)).join('\n'),
  );
  return `${[writeHeader(header, secrets), ...blocks].join('\n\n')}\n`;
}

function writeHeader({ title, date, version, stopped, only }: Header, secrets: Secrets): string {
  const lines = [
    `${title} by sitepub ${version} on ${date.toISOString().slice(0, 10)}.`,
    'The comment after each value says where it was found.',
    ...(only === undefined ? ['A gap without a value shows its default and the reason.'] : []),
    'For an operation "to confirm": remove "# " from the correct line.',
    'For an operation "not found": use a recording (--har), or write it by hand (see `sitepub docs profiles`).',
    ...(stopped === undefined ? [] : [`The discovery ended early: ${stopped}`]),
  ];
  return lines.map((line) => `# ${oneLine(secrets.redact(line))}`).join('\n');
}

function writeGap(gap: Gap, findings: Findings, secrets: Secrets): string[] {
  const finding = findings.finding(gap.id);
  if (finding && isReadAgain(gap, finding.value)) return explained(gap, finding, secrets);
  const unwritable = finding && `${writeJson(finding.value)} cannot be written as YAML`;
  const reason = secrets.redact(unwritable ?? findings.reason(gap.id) ?? 'no evidence');
  if (gap.kind === 'operation') {
    const suggestions = findings.suggestions(gap.id).slice(0, mostSuggested);
    const candidates = suggestions.flatMap((one) => suggest(gap, one, secrets));
    return unknownOperation(gap.id, oneLine(reason), candidates);
  }
  const [first, ...rest] = entry(gap, gap.default);
  return [`# ${first}  # ${oneLine(`not found: ${reason}`)}`, ...rest.map((line) => `# ${line}`)];
}

function explained(gap: Gap, { value, evidence }: Finding, secrets: Secrets): string[] {
  const comment = oneLine(secrets.redact(evidence));
  if (gap.kind === 'operation' && isObject(value)) return [`${gap.id}:  # ${comment}`, `  ${flow(value)}`];
  const [first, ...rest] = entry(gap, value);
  return [`${first}  # ${comment}`, ...rest];
}

/** More would confuse. */
const mostSuggested = 3;

function unknownOperation(id: string, reason: string, candidates: readonly string[]): string[] {
  if (candidates.length === 0) return [`# not found: ${id}; ${reason}`];
  return [`# to confirm: ${id}: ${reason}`, ...candidates];
}

function suggest(gap: Gap, { value, evidence }: Finding, secrets: Secrets): string[] {
  const comment = `#   ${oneLine(secrets.redact(`${sayCall(value)}, ${evidence}`))}`;
  return isReadAgain(gap, value) && !containsToken(value, secrets)
    ? [comment, ...entry(gap, value).map((line) => `# ${line}`)]
    : [comment];
}

/** A pointer may contain a token that an answer uses as a member name. */
export function containsToken(value: unknown, secrets: Secrets): boolean {
  return secrets.redact(writeJson(value)).includes('{SITEPUB_TOKEN}');
}

/** Whether the YAML reads back as the same value. Some characters are forbidden in YAML. */
function isReadAgain(gap: Gap, value: unknown): boolean {
  const { values, findings } = readYamlMap(entry(gap, value).join('\n'), gap.id);
  return findings.length === 0 && isDeepStrictEqual(values[gap.id], value);
}

/** A short name of an operation's value: "POST /tenant/sites". */
export function sayCall(value: unknown): string {
  if (!isObject(value)) return typeof value === 'string' ? value : writeJson(value);
  const { method, path, by } = value;
  return by === undefined ? `${String(method)} ${String(path)}` : `with ${String(by)}`;
}

/** The YAML lines. An operation takes one line. */
function entry({ id, kind }: Gap, value: unknown): string[] {
  if (kind === 'operation') return [`${id}: ${flow(value)}`];
  return visibleYaml({ [id]: value }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
}

function flow(value: unknown): string {
  return visibleYaml(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

const longestComment = 300;

function oneLine(text: string): string {
  const line = visible(text.replace(/\s+/g, ' ').trim());
  return line.length > longestComment ? `${line.slice(0, longestComment)}…` : line;
}
