import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { credentialsOf, openCommand, openMock } from '../testing.ts';

const { folder, run, runHere, start, remove } = openCommand();

afterAll(remove);

const full = "sitepub: /dev/full can't be written (ENOSPC, no space left on device); ";

const lost = `${full}its content is lost\n`;

/** `sitepub test` for one requirement, with these flags. */
function testOf(mock: { baseUrl: string }, ...flags: string[]): string[] {
  return ['test', '--base-url', mock.baseUrl, '--only', 'LOGIN-1', ...flags];
}

test.runIf(existsSync('/dev/full'))(
  'reports that can not be written are named, and the others are written (needs /dev/full)',
  async () => {
    await using mock = await openMock();
    const place = mkdtempSync(join(folder, 'out-'));
    const [junit, evidence] = [join(place, 'out.xml'), join(place, 'evidence')];
    const unwritable = ['--har', '/dev/full', '--report', 'json=/dev/full'];
    const written = ['--report', `junit=${junit}`, '--evidence', evidence];
    const { status, stdout, stderr } = await runHere(
      testOf(mock, ...unwritable, ...written),
      credentialsOf(mock),
    );
    expect([status, stderr.match(/^.* can't be written.*\n/gm)]).toEqual([4, [lost, lost]]);
    expect([readFileSync(junit, 'utf8').slice(0, 5), readdirSync(evidence).length]).toEqual(['<?xml', 7]);
    expect(stdout).toMatch(/ 0 failed/);
  },
);

test.runIf(existsSync('/dev/full'))(
  'a profile that can not be written is printed, and the clean-up hint stays (needs /dev/full)',
  async () => {
    await using mock = await openMock();
    const { status, stdout, stderr } = await runHere(
      [
        ...['discover', '--base-url', mock.baseUrl, '--control-url', mock.controlUrl, '--create'],
        ...['--out', '/dev/full', '--force', '--max-wait', '1s'],
      ],
      credentialsOf(mock),
    );
    expect(status).toBe(4);
    expect(stderr).toContain(`${full}the profile is on standard output\n`);
    expect(stderr).toMatch(/gaps found out[\s\S]*left behind: .*\n[\s\S]*cleanup \S+/);
    expect(parse(stdout)).toMatchObject({ 'login.token': '/data/token' });
  },
  120_000,
);

test('a report on standard output is whole', async () => {
  await using mock = await openMock();
  const args = testOf(mock, '--report', 'json=/dev/stdout');
  const { status, stdout } = await run(args, credentialsOf(mock));
  expect([status, JSON.parse(stdout.slice(stdout.indexOf('{\n'))).schema]).toEqual([0, 2]);
}, 120_000);

const journal = join(folder, 'run.jsonl');
writeFileSync(journal, '{}\n');

test.for([
  [
    ['--journal', journal],
    /^sitepub: --journal: .*run\.jsonl holds something already; give a new file, or delete/,
  ],
  [['--har', folder], /^sitepub: --har: .* is a folder/],
  [['--report', `json=${journal}/x`], /^sitepub: --report: the folder .* can't be written \(ENOTDIR\)/],
] as const)('%j is refused before anything is sent', async ([flags, says]) => {
  // An address where nobody answers would be exit code 3.
  const nowhere = { baseUrl: 'http://127.0.0.1:9/api/v1' };
  const credentials = { SITEPUB_USERNAME: 'mei', SITEPUB_PASSWORD: 'x', SITEPUB_SITE_ID: '101' };
  const { status, stderr } = await runHere(testOf(nowhere, ...flags), credentials);
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(says) });
});

test('a reader that goes away does not keep a run from its end', async () => {
  await using mock = await openMock();
  const report = join(folder, 'piped.json');
  const child = start(testOf(mock, '--report', `json=${report}`), credentialsOf(mock));
  child.stdout.destroy();
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ status, isWritten: existsSync(report) }).toEqual({ status: 0, isWritten: true });
  expect(stderr).not.toMatch(/EPIPE|output/);
  expect(globSync(join(folder, '**', '*.part'))).toEqual([]);
}, 120_000);
