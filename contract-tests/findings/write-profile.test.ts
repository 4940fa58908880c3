// Only operations: contract-tests/self compares whole profiles with deployments.
import { expect, test } from 'vitest';
import { parseProfile } from '../../openapi/profile.ts';
import { gaps } from '../../openapi/registers.ts';
import { createSecrets } from '../redaction/redact.ts';
import { createFindings, type Findings } from './gap-findings.ts';
import { writeProfile } from './write-profile.ts';

const head = { title: 'Profile of x', date: new Date(0), version: '1', stopped: undefined } as const;

function write(findings: Findings, only?: 'operations'): string {
  const secrets = createSecrets();
  secrets.learn('SITEPUB_TOKEN', 'st_0123456789abcdef');
  return writeProfile(findings, secrets, { ...head, ...(only && { only }) });
}

/** The lines about a gap and those below it, up to the next gap. */
function linesOf(profile: string, name: string): string[] {
  const lines = profile.split('\n');
  const start = lines.findIndex((line) => line.includes(`operation.${name}`));
  const next = lines.findIndex(
    (line, index) => index > start && /^(# (to confirm|not found): )?operation\./.test(line),
  );
  return lines.slice(start, next);
}

const publish = {
  method: 'POST',
  path: '/sites/{siteID}/publish',
  body: { note: '{note}' },
  version: '/data/v',
};
const [one, two, three, four] = ['a', 'b', 'c', 'd'].map((name) => ({
  value: { method: 'DELETE', path: `/${name}/{siteID}` },
  evidence: `line 1 of ${name}`,
}));

test('states an operation in one line, below its evidence', () => {
  const findings = createFindings({ 'operation.ai': 'not-offered' });
  findings.found('operation.publish-site', publish, 'line 3 of api.json');
  const profile = write(findings);
  expect(linesOf(profile, 'publish-site')).toEqual([
    'operation.publish-site:  # line 3 of api.json',
    '  { method: POST, path: "/sites/{siteID}/publish", body: { note: "{note}" }, version: /data/v }',
  ]);
  expect(profile).toContain('\noperation.ai: not-offered  # given\n');
  expect(parseProfile(profile, 'x').values['operation.publish-site']).toMatchObject(publish);
});

test('writes at most three candidates as comments that become valid when uncommented', () => {
  const findings = createFindings({});
  findings.missed(['operation.delete-site'], 'three others fit as well');
  findings.suggest('operation.delete-site', [one, two, three, four] as never);
  const lines = linesOf(write(findings), 'delete-site');
  expect(lines).toEqual([
    '# to confirm: operation.delete-site: three others fit as well',
    '#   DELETE /a/{siteID}, line 1 of a',
    '# operation.delete-site: { method: DELETE, path: "/a/{siteID}" }',
    '#   DELETE /b/{siteID}, line 1 of b',
    '# operation.delete-site: { method: DELETE, path: "/b/{siteID}" }',
    '#   DELETE /c/{siteID}, line 1 of c',
    '# operation.delete-site: { method: DELETE, path: "/c/{siteID}" }',
  ]);
  const confirmed = lines.with(4, `${lines[4]}`.slice('# '.length)).join('\n');
  expect(parseProfile(confirmed, 'x').values['operation.delete-site']).toMatchObject(two?.value ?? {});
});

test('writes one line for a missing operation', () => {
  const findings = createFindings({});
  findings.missed(['operation.delete-site'], 'click: delete a site');
  expect(linesOf(write(findings), 'delete-site')).toEqual([
    '# not found: operation.delete-site; click: delete a site',
  ]);
});

test('the short profile omits other gaps without a value', () => {
  const findings = createFindings({ 'login.token': '/data/jwt' });
  const short = write(findings, 'operations');
  const operations = gaps.filter(({ kind }) => kind === 'operation');
  expect(short.match(/^# not found: /gm)).toHaveLength(operations.length);
  expect(short.match(/^(# )?[a-z-]+\.[\w.-]+:/gm)).toEqual(['login.token:']);
  expect(write(findings)).toContain('\n# login.status: 200  # not found: no evidence\n');
});

test('redacts tokens and stays on one line', () => {
  const findings = createFindings({});
  const value = { method: 'GET', path: '/sites', list: '/st_0123456789abcdef' };
  findings.missed(['operation.list-sites'], 'seen st_0123456789abcdef\noperation.ai: not-offered');
  findings.suggest('operation.list-sites', [{ value, evidence: 'of st_0123456789abcdef' }]);
  const profile = write(findings);
  expect(profile).not.toContain('st_0123');
  expect(linesOf(profile, 'list-sites')).toEqual([
    expect.stringMatching(/^# to confirm: operation\.list-sites: seen .* operation\.ai: not-offered$/),
    expect.stringMatching(/^# {3}GET \/sites, of /),
  ]);
});
