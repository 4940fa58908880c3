import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotVerified } from '../core/outcomes.ts';
import { openJournal } from './journal-file.ts';

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
