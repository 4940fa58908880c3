// What becomes of a command whose output is lost, and what is refused before anything is sent.
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { credentialsOf, openCommand, openMock } from '../testing.ts';

const { folder, runHere, remove } = openCommand();

afterAll(remove);

const full = "sitepub: /dev/full can't be written (ENOSPC, no space left on device); ";

const lost = `${full}its content is lost\n`;

/** `sitepub test` for one requirement, with these flags. */
function testOf(baseUrl: string, ...flags: string[]): string[] {
  return ['test', '--base-url', baseUrl, '--only', 'LOGIN-1', ...flags];
}

test.runIf(existsSync('/dev/full'))(
  'reports that can not be written are named, and the others are written (needs /dev/full)',
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
  'a profile that can not be written is printed, and the clean-up hint stays (needs /dev/full)',
  async () => {
    await using mock = await openMock();
    const addresses = ['--base-url', mock.baseUrl, '--control-url', mock.controlUrl];
    const out = ['--out', '/dev/full', '--force', '--max-wait', '1s'];
    const args = ['discover', ...addresses, '--create', ...out];
    const { status, stdout, stderr } = await runHere(args, credentialsOf(mock));
    expect(status).toBe(4);
    expect(stderr).toContain(`${full}the profile is on standard output\n`);
    expect(stderr).toMatch(/gaps found out[\s\S]*left behind: .*\n[\s\S]*cleanup \S+/);
    expect(parse(stdout)).toMatchObject({ 'login.token': '/data/token' });
  },
);

const journal = join(folder, 'run.jsonl');
writeFileSync(journal, '{}\n');

test.for([
  [['--journal', journal], /^sitepub: --journal: .*run\.jsonl is not empty; give a new file/],
  [['--har', folder], /^sitepub: --har: .* is a folder/],
] as const)('%j is refused before anything is sent', async ([flags, says]) => {
  // An address where nobody answers would be exit code 3.
  const credentials = { SITEPUB_USERNAME: 'mei', SITEPUB_PASSWORD: 'x', SITEPUB_SITE_ID: '101' };
  const { status, stderr } = await runHere(testOf('http://127.0.0.1:9/api/v1', ...flags), credentials);
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(says) });
});
