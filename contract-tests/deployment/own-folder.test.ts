import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { NotVerified } from '../core/outcomes.ts';
import { openJournal } from './journal-file.ts';
import { cacheFolder, ownFolder, readOwnFile, writeOwnFile } from './own-folder.ts';

let temporary = '';
const usual = () => join(temporary, `sitepub-${userInfo().username}`);
const modeOf = (path: string) => statSync(path).mode & 0o777;

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'sitepub-own-'));
});

test('creates a private folder, and finds it again', () => {
  expect(ownFolder(temporary)).toEqual({ path: usual() });
  expect(modeOf(usual())).toBe(0o700);
  expect(ownFolder(temporary)).toEqual({ path: usual() });
});

test('has a subfolder for caches, unless the folder belongs to another user', () => {
  expect(cacheFolder('compiled', temporary)).toBe(join(usual(), 'compiled'));
  rmSync(usual(), { recursive: true });
  symlinkSync(temporary, usual());
  expect(cacheFolder('compiled', temporary)).toBeUndefined();
});

test('makes an open folder private', () => {
  mkdirSync(usual());
  chmodSync(usual(), 0o777);
  expect(ownFolder(temporary)).toEqual({ path: usual() });
  expect(modeOf(usual())).toBe(0o700);
});

test('uses another folder instead of a link, and says so', () => {
  const elsewhere = join(temporary, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, usual());
  const { path, notice } = ownFolder(temporary);
  expect(notice).toMatch(/ cannot be used: it is not a usable folder \((ENOTDIR|ELOOP)\); this run /);
  expect([dirname(path), modeOf(path)]).toEqual([temporary, 0o700]);
  expect(modeOf(elsewhere)).not.toBe(0o700);
});

test.skipIf(process.getuid?.() !== 0)(
  'uses another folder if the usual one belongs to another user (needs root)',
  () => {
    mkdirSync(usual(), { mode: 0o777 });
    chownSync(usual(), 12_345, 12_345);
    const { path, notice } = ownFolder(temporary);
    expect(notice).toContain(`${usual()} cannot be used: it belongs to another user; `);
    expect(statSync(path).uid).toBe(0);
    expect(path).not.toBe(usual());
  },
);

test('says that nothing can be stored without a folder', () => {
  const file = join(temporary, 'file');
  writeFileSync(file, '');
  expect(ownFolder(file).notice).toMatch(/ \(ENOTDIR\); .*, and cannot store anything itself$/);
});

test('follows no links when it reads or writes files', () => {
  const [victim, file] = [join(temporary, 'victim'), join(temporary, 'a', 'file')];
  writeFileSync(victim, 'precious');
  mkdirSync(dirname(file));
  symlinkSync(victim, file);
  expect(() => readOwnFile(file)).toThrow(/ELOOP/);
  writeOwnFile(file, 'text');
  expect([readOwnFile(file), readFileSync(victim, 'utf8'), modeOf(file)]).toEqual([
    'text',
    'precious',
    0o600,
  ]);
});

test('leaves no draft of a file that cannot be written', () => {
  const folder = join(temporary, 'taken');
  mkdirSync(folder);
  writeFileSync(join(folder, 'x'), '');
  expect(() => writeOwnFile(folder, 'text')).toThrow();
  expect(readdirSync(temporary, { recursive: true })).toEqual(['taken', join('taken', 'x')]);
});

test('creates a private journal, and removes it', () => {
  const path = join(temporary, 'a', 'run.jsonl');
  const journal = openJournal(path);
  journal.announce('1\n');
  journal.append('2\n');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['1\n2\n', 0o600]);
  journal.remove();
  expect(existsSync(path)).toBe(false);
});

test.skipIf(!existsSync('/dev/full'))(
  'creates nothing that it cannot write to the journal (needs /dev/full)',
  () => {
    const journal = openJournal('/dev/full');
    expect(() => journal.announce('1\n')).toThrow(
      new NotVerified(
        'the journal /dev/full cannot be written (ENOSPC), so the run creates nothing that it could not clean up; free disk space or pass another --journal',
      ),
    );
    expect(() => journal.append('2\n')).not.toThrow();
  },
);

test.skipIf(process.getuid?.() !== 0)('removes no device, given itself or by a link (needs root)', () => {
  const [device, link] = [join(temporary, 'null'), join(temporary, 'link')];
  execFileSync('mknod', [device, 'c', '1', '3']);
  symlinkSync(device, link);
  for (const path of [device, link]) {
    const journal = openJournal(path);
    journal.announce('1\n');
    journal.remove();
    expect(statSync(path).isCharacterDevice()).toBe(true);
  }
});
