// Hostile files, and targets of output that are no files, each against a command in a process of its own.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Group, Tried } from './group.ts';

const cli = fileURLToPath(new URL('../sitepub.mjs', import.meta.url));
const hook = new URL('usage-hook.mjs', import.meta.url).href;
const bounds = { seconds: 30, megabytes: 400 };

interface Row {
  id: string;
  /** What the command is called with: `file` is the hostile one. */
  command: readonly string[];
  /** Makes the file, unless it is one of the system's. */
  make: string | ((file: string) => void);
  status: number;
}

const world = ['mock', '--port', '0', '--world'];
const profile = ['spec', '--out', '/dev/null', '--profile'];
const spec = ['spec', '--out'];
const nested = `tenants: ${'['.repeat(100_000)}`;
const aliases = (length: number) => `a: &a [${Array(2_000).fill('x')}]\nb: [${Array(length).fill('*a')}]\n`;
const writing = (content: string | Buffer) => (file: string) => writeFileSync(file, content);
const linking = (to: string) => (file: string) => symlinkSync(to, file);

const hostileTexts: readonly (readonly [string, string | ((file: string) => void)])[] = [
  ['without end', '/dev/zero'],
  ['that is a link to one without end', linking('/dev/zero')],
  ['that is a folder', tmpdir()],
  ['that is not there', '/no/such/file.yaml'],
  ['that is a link to itself', (file) => symlinkSync(file, file)],
  ['of 100,000 levels', writing(nested)],
  ['with 3,000 aliases of 2,000 entries', writing(aliases(3_000))],
  [
    'with aliases of aliases',
    writing(
      Array.from(
        { length: 12 },
        (_, at) => `l${at + 1}: &l${at + 1} [${Array(10).fill(at === 0 ? 'x' : `*l${at}`)}]`,
      ).join('\n'),
    ),
  ],
  ['that is not UTF-8', writing(Buffer.from([0xba, 0xa3, 0xb8, 0xdb]))],
  ['of 20,000 unknown members', writing(Array.from({ length: 20_000 }, (_, at) => `k${at}: 1\n`).join(''))],
  ['that gives orders', writing('"\\e[2J\u202e": 1\n"::add-mask::x": 1\n"##[error]x": 1\n')],
];

const rows: readonly Row[] = [
  ...hostileTexts.flatMap(([id, make]) => [
    { id: `a world file ${id}`, command: world, make, status: 2 },
    { id: `a profile ${id}`, command: profile, make, status: 2 },
  ]),
  ...['report', 'diff /dev/zero', 'cleanup --journal'].map((command) => ({
    id: `${command} of a file without end`,
    command: command.split(' '),
    make: '/dev/zero',
    status: 2,
  })),
  { id: 'output to a full disk', command: spec, make: '/dev/full', status: 4 },
  { id: 'output to a link to a full disk', command: spec, make: linking('/dev/full'), status: 4 },
  { id: 'output to a link to a device', command: spec, make: linking('/dev/null'), status: 0 },
  { id: 'output to a link that leads nowhere yet', command: spec, make: linking('new.yaml'), status: 0 },
  { id: 'output to a link into a missing folder', command: spec, make: linking('no/new.yaml'), status: 2 },
  { id: 'output to a link to itself', command: spec, make: (file) => symlinkSync(file, file), status: 2 },
  { id: 'output to a folder', command: spec, make: tmpdir(), status: 2 },
  { id: 'output to a pipe', command: spec, make: openPipe, status: 0 },
];

/** A pipe with somebody who reads it. */
function openPipe(file: string): void {
  execFileSync('mkfifo', [file]);
  spawn('cat', [file], { stdio: 'ignore' });
}

export const files: Group = {
  id: 'hostile-files',
  what: 'hostile world files, profiles, reports and journals, and targets of output that are full, links, devices, pipes or folders',
  promise:
    'refused with exit 2, or 4 where the disk is full, or written through; within 30 s and 400 MB; nothing is replaced, left behind or printed that gives orders',
  missing: () => (existsSync('/dev/full') ? undefined : 'there is no /dev/full; run it on Linux'),
  trials: () => rows.map((row) => ({ id: row.id, run: () => tryRow(row) })),
};

async function tryRow({ id, command, make, status: wanted }: Row): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-attack-'));
  try {
    const file = typeof make === 'string' ? make : join(folder, 'hostile.yaml');
    if (typeof make !== 'string') make(file);
    const kind = kindOf(file);
    const { status, printed, ...figures } = await run([...command, file], join(folder, 'usage'));
    const drafts = readdirSync(folder).filter((name) => /part$|tmp/.test(name));
    const problems: readonly [boolean, string][] = [
      [status !== wanted, `ended with ${status}: ${printed.slice(-300)}`],
      [/[^\P{Cc}\n\t]|[\u202a-\u202e]|^::|##\[/mu.test(printed), 'printed orders'],
      [kindOf(file) !== kind, 'the file was replaced'],
      [drafts.length > 0, `left ${drafts.join()}`],
      [figures.seconds > bounds.seconds, `took ${figures.seconds.toFixed(0)} s`],
      [(figures.megabytes ?? 0) > bounds.megabytes, `took ${figures.megabytes?.toFixed(0)} MB`],
    ];
    return { id, ...figures, broken: problems.flatMap(([isBroken, what]) => (isBroken ? [what] : [])) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A regular file, a link, a device …; undefined where there is nothing. */
function kindOf(file: string): number | undefined {
  const there = lstatSync(file, { throwIfNoEntry: false });
  return there && there.mode & 0o170000;
}

async function run(args: readonly string[], usage: string) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', hook, cli, ...args], {
    env: { PATH: process.env.PATH, ATTACK_USAGE_FILE: usage },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: (bounds.seconds + 5) * 1_000,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const megabytes = existsSync(usage) ? Number(readFileSync(usage, 'utf8')) / 1_024 : undefined;
  const seconds = (performance.now() - startedAt) / 1_000;
  return { status, printed: stdout + stderr, seconds, megabytes };
}
