import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../options/usage-error.ts';
import { requireWritable, writeWhole } from './output-file.ts';

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

test('writes through a link, and does not replace a device', () => {
  const [path, link] = [join(folder, 'real'), join(folder, 'link')];
  writeFileSync(path, 'old');
  symlinkSync(path, link);
  writeWhole(link, 'new');
  expect([readFileSync(path, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['new', true]);
  writeWhole('/dev/null', 'text');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});
