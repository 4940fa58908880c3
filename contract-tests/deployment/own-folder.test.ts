import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NotVerified } from '../core/outcomes.ts';
import { openJournal } from './journal-file.ts';
import { cacheFolder, ownFolder, readOwnFile, writeOwnFile } from './own-folder.ts';

describe('own folder', () => {
  let temporary = '';
  const usual = () => join(temporary, `sitepub-${userInfo().username}`);
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  beforeEach(() => {
    temporary = mkdtempSync(join(tmpdir(), 'sitepub-own-'));
  });

  afterEach(() => rmSync(temporary, { recursive: true }));

  test('is made for the user alone, and found again', () => {
    expect(ownFolder(temporary)).toEqual({ path: usual() });
    expect(modeOf(usual())).toBe(0o700);
    expect(ownFolder(temporary)).toEqual({ path: usual() });
  });

  test('has a place for caches, unless somebody else has it', () => {
    expect(cacheFolder('compiled', temporary)).toBe(join(usual(), 'compiled'));
    rmSync(usual(), { recursive: true });
    symlinkSync(temporary, usual());
    expect(cacheFolder('compiled', temporary)).toBeUndefined();
  });

  test('is closed to others where it was open', () => {
    mkdirSync(usual());
    chmodSync(usual(), 0o777);
    expect(ownFolder(temporary)).toEqual({ path: usual() });
    expect(modeOf(usual())).toBe(0o700);
  });

  test('is another one where somebody has put a link in its place, which is said', () => {
    const elsewhere = join(temporary, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, usual());
    const { path, notice } = ownFolder(temporary);
    expect(notice).toMatch(
      / is not used: it is no folder that can be used \((ENOTDIR|ELOOP)\); what other runs /,
    );
    expect([dirname(path), modeOf(path)]).toEqual([temporary, 0o700]);
    expect(modeOf(elsewhere)).not.toBe(0o700);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'is another one where it belongs to somebody else (needs root)',
    () => {
      mkdirSync(usual(), { mode: 0o777 });
      chownSync(usual(), 12_345, 12_345);
      const { path, notice } = ownFolder(temporary);
      expect(notice).toContain(`${usual()} is not used: it belongs to somebody else; `);
      expect(statSync(path).uid).toBe(0);
      expect(path).not.toBe(usual());
    },
  );

  test('says that nothing can be kept where no other can be made', () => {
    const file = join(temporary, 'file');
    writeFileSync(file, '');
    expect(ownFolder(file).notice).toMatch(/ \(ENOTDIR\); .*, and nothing can be kept$/);
  });

  test('a file of it follows no link, neither when it is read nor when it is written', () => {
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

  test('a file that can not be written leaves no draft', () => {
    const folder = join(temporary, 'taken');
    mkdirSync(folder);
    writeFileSync(join(folder, 'x'), '');
    expect(() => writeOwnFile(folder, 'text')).toThrow();
    expect(existsSync(join(folder, 'x'))).toBe(true);
    expect(() => rmSync(temporary, { recursive: true })).not.toThrow();
    mkdirSync(temporary);
  });
});

describe('journal file', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sitepub-journal-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test('is for the user alone, and removed', () => {
    const path = join(folder, 'a', 'run.jsonl');
    const journal = openJournal(path);
    journal.announce('1\n');
    journal.append('2\n');
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['1\n2\n', 0o600]);
    journal.remove();
    expect(existsSync(path)).toBe(false);
  });

  test.skipIf(!existsSync('/dev/full'))(
    'lets nothing be created that it can not list, and loses nothing else (needs /dev/full)',
    () => {
      const journal = openJournal('/dev/full');
      expect(() => journal.announce('1\n')).toThrow(
        new NotVerified(
          "nothing is created that can't be listed for clean-up: the journal /dev/full can't be written (ENOSPC); make room, or give another --journal",
        ),
      );
      expect(() => journal.append('2\n')).not.toThrow();
    },
  );

  test.skipIf(process.getuid?.() !== 0)('removes no device, given itself or by a link (needs root)', () => {
    const [device, link] = [join(folder, 'null'), join(folder, 'link')];
    execFileSync('mknod', [device, 'c', '1', '3']);
    symlinkSync(device, link);
    for (const path of [device, link]) {
      const journal = openJournal(path);
      journal.announce('1\n');
      journal.remove();
      expect(statSync(path).isCharacterDevice()).toBe(true);
    }
  });
});
