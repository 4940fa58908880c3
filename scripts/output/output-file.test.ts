import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UsageError } from '../options/usage-error.ts';
import { OutputError, requireNewJournal, requireWritable, writeWhole } from './output-file.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitepub-output-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('refuses a folder that is not there, and a path that is a folder, with the name of the flag', () => {
  const missing = join(folder, 'missing');
  expect(() => requireWritable('--out', join(missing, 'out.json'))).toThrow(
    new UsageError(`--out: the folder ${missing} can't be written (ENOENT); create it first`),
  );
  expect(() => requireWritable('--har', folder)).toThrow(
    new UsageError(`--har: ${folder} is a folder; give the path of a file`),
  );
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => requireWritable('--out', join(file, 'out.json'))).toThrow(UsageError);
});

test('refuses what a variable names as the file of a secret, however it is written', () => {
  const secret = join(folder, 'password');
  writeFileSync(secret, 'top secret');
  symlinkSync(secret, join(folder, 'link'));
  vi.stubEnv('SITEPUB_PASSWORD_FILE', secret);
  for (const path of [secret, join(folder, '.', 'password'), join(folder, 'link')])
    expect(() => requireWritable('--har', path)).toThrow(
      /^--har: .* is the file that SITEPUB_PASSWORD_FILE names; name another one$/,
    );
  vi.unstubAllEnvs();
});

test('refuses a journal in the place of what is written at the end, there or not', () => {
  const path = join(folder, 'profile.yaml');
  symlinkSync(folder, join(folder, 'same'));
  expect(() => requireNewJournal(join(folder, 'same', 'profile.yaml'), path)).toThrow(
    /^--journal and --out are both /,
  );
  writeFileSync(path, '');
  symlinkSync(path, join(folder, 'link'));
  expect(() => requireNewJournal(join(folder, 'link'), path)).toThrow(/^--journal and --out are both /);
  expect(() => requireNewJournal(join(folder, 'journal'), path)).not.toThrow();
});

test('accepts a new file, an old one and a device', () => {
  writeFileSync(join(folder, 'old'), '');
  for (const path of [join(folder, 'new'), join(folder, 'old'), '/dev/null'])
    expect(() => requireWritable('--out', path)).not.toThrow();
});

test('writes a file whole, and leaves no draft', () => {
  const path = join(folder, 'out');
  writeFileSync(path, 'much longer than what comes');
  writeWhole(path, 'text');
  expect(readFileSync(path, 'utf8')).toBe('text');
  expect(readdirSync(folder)).toEqual(['out']);
});

test('writes through links, also one that leads nowhere yet', () => {
  const [path, link, chain] = [join(folder, 'real'), join(folder, 'link'), join(folder, 'chain')];
  symlinkSync('real', link);
  symlinkSync(link, chain);
  for (const text of ['first', 'second']) {
    requireWritable('--out', chain);
    writeWhole(chain, text);
    expect([readFileSync(path, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual([text, true]);
  }
  expect(readdirSync(folder).sort()).toEqual(['chain', 'link', 'real']);
});

test('refuses a link to itself, and one into a folder that is missing', () => {
  const [loop, lost] = [join(folder, 'loop'), join(folder, 'lost')];
  symlinkSync('loop', loop);
  symlinkSync('missing/out', lost);
  expect(() => requireWritable('--out', loop)).toThrow(
    new UsageError(`--out: ${loop} can't be written (ELOOP); give another path`),
  );
  expect(() => requireWritable('--out', lost)).toThrow(UsageError);
  expect(() => writeWhole(loop, 'x')).toThrow(new OutputError(`${loop} can't be written (ELOOP)`));
});

test('refuses a name that is too long, a folder without a file, and a NUL', () => {
  const long = join(folder, 'x'.repeat(300));
  expect(() => requireWritable('--out', long)).toThrow(
    new UsageError(`--out: ${long} can't be written (ENAMETOOLONG); give another path`),
  );
  expect(() => requireWritable('--out', `${folder}/new/`)).toThrow(/ is a folder; give the path of a file$/);
  expect(() => requireWritable('--out', `${folder}/a\0b`)).toThrow(UsageError);
  expect(readdirSync(folder)).toEqual([]);
});

test('says a name without giving a terminal orders', () => {
  expect(() => requireWritable('--out', join(folder, '\u001b[2J', 'x'))).toThrow(
    /^--out: the folder \P{Cc}* can't/u,
  );
});

test('keeps the mode of a file that it replaces, and leaves that of a new one to the user', () => {
  const [path, fresh] = [join(folder, 'out'), join(folder, 'new')];
  writeFileSync(path, 'old');
  chmodSync(path, 0o640);
  writeWhole(path, 'new');
  writeWhole(fresh, 'new');
  const mask = process.umask();
  expect([statSync(path).mode & 0o777, statSync(fresh).mode & 0o777]).toEqual([0o640, 0o666 & ~mask]);
});

test.skipIf(process.getuid?.() !== 0)('replaces no device, given itself or by a link (needs root)', () => {
  const [device, link] = [join(folder, 'null'), join(folder, 'link')];
  execFileSync('mknod', [device, 'c', '1', '3']);
  symlinkSync(device, link);
  for (const path of [device, link]) {
    requireWritable('--out', path);
    writeWhole(path, 'text');
    expect(statSync(path).isCharacterDevice()).toBe(true);
  }
  expect(readdirSync(folder).sort()).toEqual(['link', 'null']);
});

test.skipIf(!existsSync('/dev/full'))('says of a full device which it is, and why (needs /dev/full)', () => {
  requireWritable('--out', '/dev/full');
  expect(() => writeWhole('/dev/full', 'text')).toThrow(
    new OutputError("/dev/full can't be written (ENOSPC, no space left on device)"),
  );
});

test.skipIf(!existsSync('/proc/self/fd'))(
  'writes to what is open already, where it stands (needs /proc)',
  () => {
    const path = join(folder, 'open');
    const descriptor = openSync(path, 'w+');
    writeSync(descriptor, 'before ');
    for (const name of [`/dev/fd/${descriptor}`, `/proc/self/fd/${descriptor}`]) {
      requireWritable('--out', name);
      writeWhole(name, 'text ');
    }
    writeSync(descriptor, 'after');
    closeSync(descriptor);
    expect(readFileSync(path, 'utf8')).toBe('before text text after');
    expect(() => requireWritable('--out', `/dev/fd/${descriptor}`)).toThrow(UsageError);
  },
);

test('a pipe gets it all', async () => {
  const [path, copy] = [join(folder, 'pipe'), join(folder, 'copy')];
  execFileSync('mkfifo', [path]);
  const descriptor = openSync(copy, 'w');
  const cat = spawn('cat', [path], { stdio: ['ignore', descriptor, 'ignore'] });
  requireWritable('--out', path);
  writeWhole(path, 'x'.repeat(300_000));
  await once(cat, 'exit');
  closeSync(descriptor);
  expect(readFileSync(copy, 'utf8')).toBe('x'.repeat(300_000));
  expect(statSync(path).isFIFO()).toBe(true);
});

const isRoot = process.getuid?.() === 0;

const disk = () => join(folder, 'disk');

/** Whether a small disk could be mounted. */
function mounted(options: string): boolean {
  mkdirSync(disk());
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk()]).status === 0;
}

test.skipIf(!isRoot)('a disk that gets full keeps the old file, and no draft (needs root)', (context) => {
  if (!mounted('size=64k')) return context.skip('needs the right to mount a disk');
  try {
    const path = join(disk(), 'out');
    writeWhole(path, 'old');
    expect(() => writeWhole(path, 'x'.repeat(200_000))).toThrow(
      new OutputError(`${path} can't be written (ENOSPC, no space left on device)`),
    );
    expect([readFileSync(path, 'utf8'), readdirSync(disk())]).toEqual(['old', ['out']]);
  } finally {
    spawnSync('umount', [disk()]);
  }
});

test.skipIf(!isRoot)(
  'a disk that is read only is refused before anything is done (needs root)',
  (context) => {
    if (!mounted('size=64k,ro')) return context.skip('needs the right to mount a disk');
    try {
      expect(() => requireWritable('--out', join(disk(), 'out'))).toThrow(
        new UsageError(`--out: the folder ${disk()} can't be written (EROFS); give another path`),
      );
    } finally {
      spawnSync('umount', [disk()]);
    }
  },
);

test('of two that write the same file at once, one has it whole', async () => {
  const path = join(folder, 'out');
  const writers = ['a', 'b'].map((letter) => {
    const program = `const { writeWhole } = await import(${JSON.stringify(module)}); for (let n = 0; n < 20; n++) writeWhole(${JSON.stringify(path)}, '${letter}'.repeat(100_000));`;
    return once(
      spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' }),
      'exit',
    );
  });
  expect(await Promise.all(writers)).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(readFileSync(path, 'utf8')).toMatch(/^(a{100000}|b{100000})$/);
  expect(readdirSync(folder)).toEqual(['out']);
});

const module = fileURLToPath(new URL('output-file.ts', import.meta.url));
