import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { credentialsOf, openCommand, openMock } from '../testing.ts';

const { folder, run, start, remove } = openCommand();

afterAll(remove);

const hasFull = existsSync('/dev/full');
test.skipIf(!hasFull)(
  'a report that can not be written is named and kept, and the others are written (needs /dev/full)',
  async () => {
    await using mock = await openMock();
    const TMPDIR = mkdtempSync(join(folder, 'tmp-'));
    const [junit, evidence] = [join(TMPDIR, 'out.xml'), join(TMPDIR, 'evidence')];
    const { status, stdout, stderr } = await run(
      [
        ...[
          'test',
          '--base-url',
          mock.baseUrl,
          '--suite',
          'smoke',
          '--har',
          '/dev/full',
          '--evidence',
          evidence,
        ],
        ...['--report', 'json=/dev/full', '--report', `junit=${junit}`],
      ],
      { ...credentialsOf(mock), TMPDIR },
    );
    const says = "sitepub: /dev/full can't be written (ENOSPC, no space left on device); it is kept in ";
    const kept = stderr
      .split('\n')
      .filter((line) => line.startsWith(says))
      .map((line) => line.slice(says.length));
    expect({ status, kept: kept.length }).toEqual({ status: 4, kept: 2 });
    expect(kept.map((path) => Object.keys(JSON.parse(readFileSync(path, 'utf8')))[0])).toEqual([
      'log',
      'schema',
    ]);
    expect([readFileSync(junit, 'utf8').slice(0, 5), readdirSync(evidence).length]).toEqual(['<?xml', 7]);
    expect(stdout).toMatch(/ 0 failed/);
  },
  120_000,
);

test.skipIf(!hasFull)(
  'a profile that can not be written is printed, and the clean-up hint stays (needs /dev/full)',
  async () => {
    await using mock = await openMock();
    const { status, stdout, stderr } = await run(
      [
        'discover',
        '--base-url',
        mock.baseUrl,
        '--out',
        '/dev/full',
        '--force',
        '--create',
        '--max-wait',
        '1s',
        '--control-url',
        mock.controlUrl,
      ],
      credentialsOf(mock),
    );
    expect(status).toBe(4);
    expect(stderr).toContain(
      "sitepub: /dev/full can't be written (ENOSPC, no space left on device); the profile is on standard output\n",
    );
    expect(stderr).toMatch(/gaps found out/);
    expect(stderr).toMatch(/left behind: .*\n[\s\S]*cleanup \S+/);
    expect(parse(stdout)).toMatchObject({ 'login.token': '/data/token' });
  },
  120_000,
);

test('a report on standard output is whole, also where that is a file', async () => {
  await using mock = await openMock();
  const { status, stdout } = await run(
    ['test', '--base-url', mock.baseUrl, '--only', 'LOGIN-1', '--report', 'json=/dev/stdout'],
    credentialsOf(mock),
  );
  expect([status, JSON.parse(stdout.slice(stdout.indexOf('{\n'))).schema]).toEqual([0, 2]);
}, 120_000);

test('a journal that lists another run, and paths that can not be written, are refused before anything is sent', async () => {
  await using mock = await openMock();
  const journal = join(folder, 'run.jsonl');
  writeFileSync(journal, '{}\n');
  const long = join(folder, 'x'.repeat(256));
  for (const [flags, says] of [
    [
      ['--journal', journal],
      /^sitepub: --journal: .*run\.jsonl holds something already; give a new file, or delete/,
    ],
    [['--journal', folder], /^sitepub: --journal: .* is a folder/],
    [['--har', long], /^sitepub: --har: .* can't be written \(ENAMETOOLONG\)/],
    [
      ['--report', `json=${journal}/out.json`],
      /^sitepub: --report: the folder .* can't be written \(ENOTDIR\)/,
    ],
  ] as const) {
    const { status, stderr } = await run(['test', '--base-url', mock.baseUrl, ...flags], credentialsOf(mock));
    expect([status, stderr]).toEqual([2, expect.stringMatching(says)]);
  }
}, 120_000);

test('a reader that goes away does not keep a run from its end', async () => {
  await using mock = await openMock();
  const report = join(folder, 'piped.json');
  const child = start(
    ['test', '--base-url', mock.baseUrl, '--only', 'LOGIN-1', '--report', `json=${report}`],
    credentialsOf(mock),
  );
  child.stdout.destroy();
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ status, isQuiet: !/EPIPE|output/.test(stderr), isWritten: existsSync(report) }).toEqual({
    status: 0,
    isQuiet: true,
    isWritten: true,
  });
  expect(globSync(join(folder, '**', '*.part'))).toEqual([]);
}, 120_000);
