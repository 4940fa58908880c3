// Commands that end early: by a mistake of the user, or because an output cannot be written.
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Report } from '../../contract-tests/reports/report.ts';
import { credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';

const { folder, runHere } = openCommand();

describe('mistakes', { tags: ['ci'] }, () => {
  const file = join(folder, 'report.json');
  const sites = { SITEPUB_SITE_ID: '201', SITEPUB_OTHER_SITE_ID: '202' };
  const wrongKey = { SITEPUB_API_KEY: 'sp_0123456789abcdef0123456789abcdef' };
  const testOf = (profile = 'default') => ['test', '--profile', profile, '--report', `json=${file}`];

  interface More {
    environment?: Record<string, string>;
    /** Appended to the origin of the mock for --base-url. */
    path?: string;
    /** How many resources it creates and deletes again. */
    creates?: number;
  }
  const path = '/api/v1';

  test.for<[name: string, args: string[], says: RegExp, more?: More]>([
    [
      'a base URL without the version',
      testOf(),
      /did you mean http:\/\/127\.0\.0\.1:\d+\/api\/v1\?$/,
      { path: '' },
    ],
    [
      'a wrong API key, because a new key is accepted',
      testOf(),
      /every call refuses the API key .*; check SITEPUB_API_KEY or unset it$/,
      { path, environment: wrongKey, creates: 2 },
    ],
    [
      'a site of another tenant',
      testOf(),
      /no access to site 201 .*; check SITEPUB_SITE_ID$/,
      { path, environment: sites },
    ],
    [
      'the profile of another deployment',
      testOf('nested-201-uuid'),
      /write one with `sitepub discover`$/,
      { path },
    ],
    [
      'a missing profile',
      ['mock', '--profile', 'nowhere.yaml'],
      /nowhere\.yaml can't be read \(there is no file .*nowhere\.yaml\); give the path of a YAML file/,
    ],
    [
      'a missing journal',
      ['cleanup', '/nowhere/journal'],
      /the journal \/nowhere\/journal can't be read \(there is no file .*\); pass the file that `sitepub test` named /,
    ],
    ['a file that is not a journal', ['cleanup', 'package.json'], /package\.json is not a sitepub journal/],
  ])('%s', async ([, args, says, { environment, path, creates = 0 } = {}]) => {
    await using mock = await openMock();
    const address = path === undefined ? [] : ['--base-url', new URL(mock.baseUrl).origin + path];
    const result = await runHere([...args, ...address], { ...credentialsOf(mock), ...environment });
    const lines = `${result.stdout}${result.stderr}`.trimEnd().split('\n');
    expect({ status: result.status, last: lines.at(-1) }).toEqual({
      status: 2,
      last: expect.stringMatching(says),
    });
    expect(lines.length).toBeLessThanOrEqual(6);
    expect(verdictsIn(file)).toEqual([]);
    expect(requestsOf(mock).filter(isCreation)).toHaveLength(creates);
  });

  /** Requirements whose outcome is not `not-verified`. */
  function verdictsIn(path: string): string[] {
    if (!existsSync(path)) return [];
    const { requirements } = JSON.parse(readFileSync(path, 'utf8')) as Report;
    return requirements.filter(({ outcome }) => outcome !== 'not-verified').map(({ id }) => id);
  }

  function isCreation({ operation, code }: { operation?: string; code?: number | undefined }): boolean {
    return code === 0 && /^(create|import|publish|submit|update|delete)/.test(operation ?? '');
  }
});

describe('lost outputs', () => {
  const full = "sitepub: /dev/full can't be written (ENOSPC, no space left on device); ";

  const lost = `${full}its content is lost\n`;

  function testOf(baseUrl: string, ...flags: string[]): string[] {
    return ['test', '--base-url', baseUrl, '--only', 'LOGIN-1', ...flags];
  }

  test.runIf(existsSync('/dev/full'))(
    'names reports that cannot be written, and writes the others (needs /dev/full)',
    async () => {
      await using mock = await openMock();
      const place = mkdtempSync(join(folder, 'out-'));
      const [junit, evidence] = [join(place, 'out.xml'), join(place, 'evidence')];
      const unwritable = ['--har', '/dev/full', '--report', 'json=/dev/full'];
      const args = testOf(mock.baseUrl, ...unwritable, '--report', `junit=${junit}`, '--evidence', evidence);
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

  const journal = join(folder, 'run.jsonl');
  writeFileSync(journal, '{}\n');

  test.for([
    [['--journal', journal], /^sitepub: --journal: .*run\.jsonl is not empty; choose a new file/],
    [['--har', folder], /^sitepub: --har: .* is a folder/],
  ] as const)('%j is refused before anything is sent', async ([flags, says]) => {
    // Nothing listens there, so a call would make the exit code 3.
    const credentials = { SITEPUB_USERNAME: 'mei', SITEPUB_PASSWORD: 'x', SITEPUB_SITE_ID: '101' };
    const { status, stderr } = await runHere(testOf('http://127.0.0.1:9/api/v1', ...flags), credentials);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(says) });
  });
});
