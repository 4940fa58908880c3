// No report shows a secret in any form.
import { beforeAll, expect, test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { secretForms } from '../redaction/testing/secret-forms.ts';
import { applyExpectedFailures } from '../reports/demands.ts';
import type { Report } from '../reports/report.ts';
import { createEchoingDeployment } from './giving-back.ts';
import { runAgainstMock } from './run-against-mock.ts';
import { writtenForms } from './written-reports.ts';

const deployment = createEchoingDeployment();
/** Without a list, resources with a changed id count as leftovers. */
const spoken = profileWith({ 'operation.list-subscriptions': 'unknown' });
let report: Report;

beforeAll(async () => {
  const { tamper, options } = deployment;
  report = applyExpectedFailures(await runAgainstMock({ spoken, tamper, options }), {
    file: 'known.yaml',
    entries: [{ id: 'ENV-2', line: 1, reason: 'known', until: null, checks: [] }],
  });
}, 60_000);

test('shows no secret in any format or in parsed JSON', () => {
  const shown = [...writtenForms(report), textsIn(report).join('\n')].map(secretsIn);
  expect(shown).toEqual(shown.map(() => []));
});

function secretsIn(text: string): string[] {
  const views = [text, unescaped(text), decoded(unescaped(text))];
  return deployment
    .secrets()
    .flatMap((secret) => [...secretForms.map(([, form]) => form(secret)), ...piecesOf(secret)])
    .filter((form) => views.some((view) => view.includes(form)));
}

test('puts secrets in each place that a deployment controls', () => {
  const checks = report.requirements.flatMap((requirement) => requirement.checks);
  const places: Record<string, (string | null)[]> = {
    reason: checks.map(({ reason }) => reason),
    actual: checks.map(({ actual }) => actual),
    trace_id: checks.map(({ trace_id }) => trace_id),
    observed: report.gaps.map(({ observed }) => observed),
    leftover: report.leftovers.map(({ id }) => String(id)),
  };
  const bare = Object.keys(places).filter(
    (name) => !places[name]?.some((text) => text?.includes('{SITEPUB_')),
  );
  expect(bare).toEqual([]);
  expect(checks.some(({ curl }) => curl?.includes('"$SITEPUB_TOKEN"'))).toBe(true);
  expect(deployment.secrets().length).toBeGreaterThan(8);
});

/** Parts of a partly hidden secret. Ignores signing secrets, whose words and run id also appear elsewhere. */
function piecesOf(secret: string): string[] {
  if (/^[\w. -]+$/.test(secret)) return [];
  return secret
    .split(/S3cr3t-[0-9a-f]{8}-\d+/)
    .flatMap((part) =>
      Array.from({ length: Math.max(0, part.length - 7) }, (_, at) => part.slice(at, at + 8)),
    );
}

function textsIn(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsIn) : [];
}

/** As HTML, XML or Markdown displays it. */
function unescaped(text: string): string {
  return text
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** As a shell and a server decode it. */
function decoded(text: string): string {
  return text.replaceAll("'\\''", "'").replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString();
  });
}
