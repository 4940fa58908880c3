// Commands that end early: by a mistake of the user, or because an output cannot be written.
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Report } from '../../contract-tests/reports/report.ts';
import { credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';

const { folder, runHere } = openCommand();

describe('mistakes', { tags: ['ci'] }, () => {
  const sites = { SITEPUB_SITE_ID: '201', SITEPUB_OTHER_SITE_ID: '202' };
  const root = '/api/v1';
  const changing = /^(create|import|publish|submit|update|delete)/;

  test.for([
    ['a base URL without the version', '', 'default', {}, /did you mean http:\S+:\d+\/api\/v1\?$/],
    ['a site of another tenant', root, 'default', sites, /no access to site 201 .*; check SITEPUB_SITE_ID$/],
    ['the profile of another deployment', root, 'nested-201-uuid', {}, /with `sitepub discover`$/],
  ] as const)('%s ends a run before it creates anything', async ([, path, profile, environment, says]) => {
    await using mock = await openMock();
    const file = join(folder, 'report.json');
    const address = new URL(mock.baseUrl).origin + path;
    const args = ['test', address, '--profile', profile, '--report', `json=${file}`];
    const { status, stdout, stderr } = await runHere(args, { ...credentialsOf(mock), ...environment });
    expect([status, stderr.trimEnd()]).toEqual([2, expect.stringMatching(says)]);
    expect(`${stdout}${stderr}`.split('\n').length).toBeLessThanOrEqual(7);
    const { requirements } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    expect(requirements.filter(({ outcome }) => outcome !== 'not-verified')).toEqual([]);
    const accepted = requestsOf(mock).filter(({ code }) => code === 0);
    expect(accepted.map(({ operation }) => operation)).not.toContainEqual(expect.stringMatching(changing));
  });
});

describe('lost outputs', () => {
  const full = "sitepub: /dev/full can't be written (ENOSPC, no space left on device); ";
  const lost = `${full}its content is lost\n`;

  test.runIf(existsSync('/dev/full'))(
    'names reports that cannot be written, and writes the others (needs /dev/full)',
    async () => {
      await using mock = await openMock();
      const place = mkdtempSync(join(folder, 'out-'));
      const [junit, evidence] = [join(place, 'out.xml'), join(place, 'evidence')];
      const unwritable = ['--har', '/dev/full', '--report', 'json=/dev/full'];
      const written = ['--report', `junit=${junit}`, '--evidence', evidence];
      const args = ['test', mock.baseUrl, '--only', 'LOGIN-1', ...unwritable, ...written];
      const { status, stdout, stderr } = await runHere(args, credentialsOf(mock));
      expect([status, stderr.match(/^.* can't be written.*\n/gm)]).toEqual([4, [lost, lost]]);
      expect([readFileSync(junit, 'utf8').slice(0, 5), readdirSync(evidence).length]).toEqual(['<?xml', 7]);
      expect(stdout).toMatch(/ 0 failed/);
    },
  );

  test.runIf(existsSync('/dev/full'))(
    'prints a profile that cannot be written, and the clean-up hint (needs /dev/full)',
    async () => {
      await using mock = await openMock();
      const addresses = ['--base-url', mock.baseUrl, '--control-url', mock.controlUrl];
      const out = ['--out', '/dev/full', '--force', '--max-wait', '1s'];
      const args = ['discover', ...addresses, '--create', ...out];
      const { status, stdout, stderr } = await runHere(args, credentialsOf(mock));
      expect(status).toBe(4);
      expect(stderr).toContain(`${full}the profile is on standard output\n`);
      expect(stderr).toMatch(/gaps found[\s\S]*left behind: .*\n[\s\S]*cleanup \S+/);
      expect(parse(stdout)).toMatchObject({ 'login.token': '/data/token' });
    },
  );
});
