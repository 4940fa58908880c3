// The report as SARIF 2.1.0, for code scanning: what failed are errors, drift and advice warnings, remarks notes, each at a line of the description.
import { createHash } from 'node:crypto';
import { visibleJson, visibleLines } from '../../openapi/visible-text.ts';
import { readYamlPlaces, type YamlPlace, type YamlPlaces } from '../../openapi/yaml-places.ts';
import {
  evidenceOf,
  promiseOf,
  sayExpected,
  sayObserved,
  sayValue,
  unsuccessfulChecks,
} from './group-by-verdict.ts';
import { escapeMarkdown } from './markdown-text.ts';
import type { CheckResult, Report, RequirementReport } from './report.ts';

/** GitHub shows so many results of a run, and so much of a rule's descriptions. */
const mostResults = 5_000;
const longestDescription = 1_024;

/** Of each text, and of all together: well below the 25 MB that are taken (10 MB compressed). */
const longestMessage = 4_000;
const longestWhole = 8_000_000;

/** What is told of a result before it has its place among the rules. GitHub takes no file of which one result has no place. */
interface Finding {
  rule: Rule;
  level: 'error' | 'warning' | 'note';
  /** What stays the same from run to run. */
  identity: string;
  message: string;
  place: YamlPlace;
  related?: YamlPlace | undefined;
  /** Why it is accepted, if it is. */
  accepted?: string;
}

interface Rule {
  id: string;
  title: string;
  description: string;
  help: string;
  level: Finding['level'];
  tags: string[];
}

/** The report as a SARIF log. Its texts are those of the report, which are free of secrets. */
export function sarifReport(report: Report): string {
  const places = readYamlPlaces();
  const findings = fitting([
    ...report.requirements.flatMap((requirement) => failuresOf(requirement, places)),
    ...adviceOf(report, places),
    ...driftOf(report, places),
    ...remarksOf(report, places),
  ]);
  const rules = rulesOf([...report.requirements.map(ruleOf), ...findings.map(({ rule }) => rule)]);
  const index = new Map(rules.map(({ id }, at) => [id, at]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.tool.name,
            semanticVersion: report.tool.version,
            rules: rules.map(describeRule),
          },
        },
        automationDetails: {
          id: `sitepub/${report.target.profile.slice(0, 100).replace(/[^\w.-]+/g, '-')}/`,
        },
        invocations: [invocationOf(report)],
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, index.get(finding.rule.id) ?? 0)),
        properties: { target: report.target, summary: report.summary },
      },
    ],
  };
  return `${visibleJson(log, 2)}\n`;
}

function failuresOf(requirement: RequirementReport, places: YamlPlaces): Finding[] {
  const failed = unsuccessfulChecks(requirement).filter(({ outcome }) => outcome === 'failed');
  return failed.map((check) => ({
    rule: ruleOf(requirement),
    level: check.expected_failure ? 'note' : 'error',
    identity: check.id,
    message: messageOf(check, requirement),
    place:
      (check.call && places.operation(check.call.operation)) ??
      places.requirement(requirement.id) ??
      places.description,
    related: places.requirementRow(requirement.id),
    ...(check.expected_failure && { accepted: sayExpected(check.expected_failure) }),
  }));
}

function messageOf(check: CheckResult, requirement: RequirementReport): string {
  const rows = [
    ...promiseOf(requirement),
    ...evidenceOf(check),
    ...(check.curl === null ? [] : [['curl', check.curl] as const]),
  ];
  const head = `${requirement.id} ${requirement.title}. ${check.id}: ${check.reason}`;
  return [head, ...rows.map(([name, text]) => `${name}: ${text}`)].join('\n');
}

/** What a receiver could do better. */
function adviceOf({ warnings = [] }: Report, places: YamlPlaces): Finding[] {
  return warnings.map(({ id, reason }) => ({
    rule: noticeRule(id, 'Advice that the receiver does not follow', 'warning'),
    level: 'warning',
    identity: id,
    message: `${id}: ${reason}`,
    place: places.requirementRow('RECV-1') ?? places.description,
  }));
}

function driftOf({ gaps }: Report, places: YamlPlaces): Finding[] {
  const drifting = gaps.filter(({ outcome }) => outcome === 'drift');
  return drifting.map((gap) => ({
    rule: noticeRule(
      `drift/${gap.id}`,
      `The gap ${gap.id} is filled otherwise than the profile says`,
      'warning',
    ),
    level: 'warning',
    identity: `drift ${gap.id}`,
    message: `${gap.id}: expected ${sayValue(gap)}, observed ${sayObserved(gap)}`,
    place: places.gap(gap.id) ?? places.description,
  }));
}

/** A remark is about no line; the first of the description stands for all of it. */
function remarksOf({ remarks }: Report, places: YamlPlaces): Finding[] {
  return remarks.map(({ id, what, count, example }) => ({
    rule: noticeRule(`remark/${id}`, what, 'note'),
    level: 'note',
    identity: `remark ${id}`,
    message: `${what} (seen ${count} times): ${example}`,
    place: places.description,
  }));
}

function ruleOf({ id, title, quote, reading, section, level }: RequirementReport): Rule {
  return {
    id,
    title,
    description: reading,
    help: `${level} in section ${section} of the interface document\nsentence: ${quote}\nreading: ${reading}`,
    level: 'error',
    tags: [level, `section ${section}`],
  };
}

function noticeRule(id: string, title: string, level: Rule['level']): Rule {
  return {
    id,
    title,
    description: title,
    help: `${title}. It breaks no promise, and fails nothing by itself.`,
    level,
    tags: ['notice'],
  };
}

/** Each rule once. */
function rulesOf(rules: readonly Rule[]): Rule[] {
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()];
}

/** How sure a rule is, and how grave: by both GitHub decides what it shows first. */
const severities = { error: 'error', warning: 'warning', note: 'recommendation' } as const;

/** Texts that GitHub demands may not be empty. */
function describeRule({ id, title, description, help, level, tags }: Rule): object {
  return {
    id,
    shortDescription: { text: cut(title || id, longestDescription) },
    fullDescription: { text: cut(description || title || id, longestDescription) },
    help: { text: cut(help, longestMessage), markdown: helpInMarkdown(help) },
    defaultConfiguration: { level },
    properties: { tags, precision: 'high', 'problem.severity': severities[level] },
  };
}

/** A paragraph for each line; GitHub shows this one where there are both. */
function helpInMarkdown(help: string): string {
  return cut(help, longestMessage).split('\n').map(escapeMarkdown).join('\n\n');
}

function resultOf(finding: Finding, ruleIndex: number): object {
  const { rule, level, identity, message, place, related, accepted } = finding;
  return {
    ruleId: rule.id,
    ruleIndex,
    level,
    message: { text: message },
    locations: [locationOf(place)],
    ...(related && { relatedLocations: [{ id: 1, ...locationOf(related) }] }),
    partialFingerprints: fingerprintsOf(`${rule.id} ${identity}`),
    ...(accepted !== undefined && {
      suppressions: [
        { kind: 'external', status: 'accepted', justification: cut(accepted, longestDescription) },
      ],
    }),
  };
}

/** GitHub knows a result again by the first of them, which has no line in it: lines move. */
function fingerprintsOf(identity: string): Record<string, string> {
  const digest = createHash('sha256').update(identity).digest('hex');
  return { primaryLocationLineHash: `${digest.slice(0, 16)}:1`, 'sitepub/v1': digest };
}

/** GitHub asks for all four ends of the region: here that of the whole line. */
function locationOf({ file, line, length }: YamlPlace): object {
  const region = { startLine: line, startColumn: 1, endLine: line, endColumn: length + 1 };
  return { physicalLocation: { artifactLocation: { uri: file }, region } };
}

/** A run that ended early, and errors of the suite: no results, since nothing is said of the deployment. */
function invocationOf({ started_at, duration_ms, aborted, requirements }: Report): object {
  const errors = requirements.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'error'));
  const texts = [...(aborted ? [aborted.reason] : []), ...errors.map(({ id, reason }) => `${id}: ${reason}`)];
  return {
    executionSuccessful: texts.length === 0,
    startTimeUtc: started_at,
    endTimeUtc: new Date(Date.parse(started_at) + duration_ms).toISOString(),
    toolExecutionNotifications: texts.map((text) => ({
      level: 'error',
      message: { text: cut(text, longestMessage) },
    })),
  };
}

const levels = ['error', 'warning', 'note'] as const;

/** As many as GitHub takes and shows; the worst come first. */
function fitting(findings: readonly Finding[]): Finding[] {
  let size = 0;
  return levels
    .flatMap((level) => findings.filter((finding) => finding.level === level))
    .slice(0, mostResults)
    .map((finding) => ({ ...finding, message: cut(finding.message, longestMessage) }))
    .filter(({ message, rule }) => {
      size += Buffer.byteLength(JSON.stringify(message)) + 2 * rule.id.length + 1_000;
      return size <= longestWhole;
    });
}

/** A text that links nowhere, whatever a deployment wrote: in SARIF, [a](b) is a link. */
function cut(text: string, most: number): string {
  // Cut twice: what can't be seen is written longer.
  const safe = visibleLines(text.slice(0, most + 1)).replace(
    /\\*\](?=\()/g,
    (found) => `${'\\'.repeat(2 * (found.length - 1) + 1)}]`,
  );
  return safe.length > most ? `${safe.slice(0, most - 1).toWellFormed()}…` : safe;
}
