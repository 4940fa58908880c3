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
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cacheFolder, ownFolder, readOwnFile, writeOwnFile } from './own-folder.ts';

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

test.skipIf(process.getuid?.() !== 0)('is another one where it belongs to somebody else (needs root)', () => {
  mkdirSync(usual(), { mode: 0o777 });
  chownSync(usual(), 12_345, 12_345);
  const { path, notice } = ownFolder(temporary);
  expect(notice).toContain(`${usual()} is not used: it belongs to somebody else; `);
  expect(statSync(path).uid).toBe(0);
  expect(path).not.toBe(usual());
});

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
