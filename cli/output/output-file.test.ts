import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runModule } from '../../scripts/testing/run-program.ts';
import { UsageError } from '../options/usage-error.ts';
import { OutputError, requireNewJournal, requireWritable, writeWhole } from './output-file.ts';

const isRoot = process.getuid?.() === 0;
const long = 'x'.repeat(300);

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitepub-output-'));
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('loop', join(folder, 'loop'));
  symlinkSync('missing/out', join(folder, 'lost'));
});

afterEach(() => void vi.unstubAllEnvs());

test.for([
  ['missing/out', "the folder DIR/missing can't be written (ENOENT); create it first"],
  ['file/out', "the folder DIR/file can't be written (ENOTDIR); create it first"],
  ['lost', "the folder DIR can't be written (ENOENT); create it first"],
  ['loop', "DIR/loop can't be written (ELOOP); choose another path"],
  [long, `DIR/${long} can't be written (ENAMETOOLONG); choose another path`],
  ['a\0b', "DIR/a\\u0000b can't be written (ERR_INVALID_ARG_VALUE); choose another path"],
  ['\u001b[2J/x', "the folder DIR/\\u001b[2J can't be written (ENOENT); create it first"],
  ['', 'DIR/ is a folder; give the path of a file'],
  ['new/', 'DIR/new/ is a folder; give the path of a file'],
] as const)('refuses %.20j with the name of the flag, and creates nothing', ([name, says]) => {
  const before = readdirSync(folder);
  expect(() => requireWritable('--har', `${folder}/${name}`)).toThrow(
    new UsageError(`--har: ${says.replace('DIR', folder)}`),
  );
  expect(readdirSync(folder)).toEqual(before);
});

test.skipIf(isRoot)('overwrites a file in a read-only folder (needs no root)', () => {
  const file = join(folder, 'file');
  chmodSync(folder, 0o500);
  expect(() => requireWritable('--out', join(folder, 'new'))).toThrow(/EACCES/);
  requireWritable('--out', file);
  writeWhole(file, 'text');
  expect(readFileSync(file, 'utf8')).toBe('text');
  chmodSync(file, 0o400);
  expect(() => requireWritable('--out', file)).toThrow(/EACCES/);
  chmodSync(folder, 0o700);
});

test.for(['password', './password', 'link'])('refuses %s, which contains a secret', (name) => {
  const secret = join(folder, 'password');
  writeFileSync(secret, 'top secret');
  symlinkSync(secret, join(folder, 'link'));
  vi.stubEnv('SITEPUB_PASSWORD_FILE', secret);
  expect(() => requireWritable('--har', `${folder}/${name}`)).toThrow(
    /^--har: .* is the file in SITEPUB_PASSWORD_FILE; choose another one$/,
  );
});

test.for(['new', 'file', 'link'])('refuses a journal that is the same file as --out: %s', (name) => {
  symlinkSync(folder, join(folder, 'same'));
  symlinkSync('file', join(folder, 'link'));
  const journal = join(folder, 'same', name);
  expect(() => requireNewJournal(journal, join(folder, name === 'link' ? 'file' : name))).toThrow(
    /^--journal and --out are both /,
  );
  expect(() => requireNewJournal(journal, join(folder, 'other'))).not.toThrow();
});

test.for([
  ['a new file', 'new', 'new'],
  ['a file', 'file', 'file'],
  ['the end of links', 'chain', 'file'],
  ['the end of a link that leads nowhere yet', 'nowhere', 'later'],
] as const)('writes %s, follows links, and leaves no draft', ([, name, end]) => {
  const [path, target] = [join(folder, name), join(folder, end)];
  symlinkSync('link', join(folder, 'chain'));
  symlinkSync('file', join(folder, 'link'));
  symlinkSync('later', join(folder, 'nowhere'));
  const names = new Set([...readdirSync(folder), end]);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  for (const text of ['first, which is longer', 'second']) {
    requireWritable('--out', path);
    writeWhole(path, text);
    expect([readFileSync(target, 'utf8'), lstatSync(path).isSymbolicLink()]).toEqual([text, isLink ?? false]);
  }
  expect(new Set(readdirSync(folder))).toEqual(names);
});

test('preserves the mode of a replaced file, and uses the umask for a new one', () => {
  const [path, fresh] = [join(folder, 'file'), join(folder, 'new')];
  chmodSync(path, 0o662);
  writeWhole(path, 'new');
  writeWhole(fresh, 'new');
  const mask = process.umask();
  expect([statSync(path).mode & 0o777, statSync(fresh).mode & 0o777]).toEqual([0o662, 0o666 & ~mask]);
});

test('writes everything to a pipe', async () => {
  const [path, copy] = [join(folder, 'pipe'), join(folder, 'copy')];
  execFileSync('mkfifo', [path]);
  const cat = spawn('cat', [path], { stdio: ['ignore', openSync(copy, 'w'), 'ignore'] });
  requireWritable('--out', path);
  writeWhole(path, 'x'.repeat(300_000));
  await once(cat, 'exit');
  expect([statSync(copy).size, statSync(path).isFIFO()]).toEqual([300_000, true]);
});

test.for(['/dev/stdout', '/dev/fd/3'])(
  'writes to %s without truncating a file that the shell has opened',
  (name) => {
    const [path, module] = [join(folder, 'open'), new URL('output-file.ts', import.meta.url).href];
    const program = `console.log('before'); (await import('${module}')).writeWhole('${name}', 'text\\n'); console.log('after')`;
    const descriptor = openSync(path, 'w');
    const stdio = ['ignore', descriptor, 'inherit', descriptor] as const;
    spawnSync(process.execPath, ['--input-type=module', '--eval', program], { stdio: [...stdio] });
    expect(readFileSync(path, 'utf8')).toBe('before\ntext\nafter\n');
  },
);

test.skipIf(!isRoot).for([
  ['is full leaves the old file, and no draft', 'size=64k', 'ENOSPC, no space left on device'],
  ['is read-only is refused before any work', 'ro', 'EROFS'],
] as const)('a disk that %s (needs root)', ([, options, code], context) => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]).status === 0;
  if (!isMounted) return context.skip('needs the right to mount a disk');
  const path = join(disk, 'out');
  try {
    if (options === 'ro') return expect(() => requireWritable('--out', path)).toThrow(code);
    writeWhole(path, 'old');
    expect(() => writeWhole(path, 'x'.repeat(200_000))).toThrow(
      new OutputError(`${path} can't be written (${code})`),
    );
    expect([readFileSync(path, 'utf8'), readdirSync(disk)]).toEqual(['old', ['out']]);
  } finally {
    spawnSync('umount', [disk]);
  }
});

test.skipIf(!isRoot)('overwrites a mounted file (needs root)', (context) => {
  const [path, other] = [join(folder, 'file'), join(folder, 'other')];
  writeFileSync(other, 'a longer text');
  if (spawnSync('mount', ['--bind', other, path]).status !== 0)
    return context.skip('needs the right to mount a file');
  try {
    writeWhole(path, 'text');
    expect(readFileSync(other, 'utf8')).toBe('text');
  } finally {
    spawnSync('umount', [path]);
  }
});

test('parallel writers never mix their texts in a file', async () => {
  const [path, module] = [join(folder, 'file'), new URL('output-file.ts', import.meta.url).href];
  const writers = ['a', 'b'].map((letter) => {
    const program = `const { writeWhole } = await import('${module}'); for (let n = 0; n < 20; n++) writeWhole('${path}', '${letter}'.repeat(100_000));`;
    return runModule(program);
  });
  expect((await Promise.all(writers)).map(({ status }) => status)).toEqual([0, 0]);
  expect(readFileSync(path, 'utf8')).toMatch(/^(a{100000}|b{100000})$/);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});
