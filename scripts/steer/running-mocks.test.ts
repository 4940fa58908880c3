import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lastMock, recordMock } from './running-mocks.ts';

let temporary = '';
const outer = () => join(temporary, `sitepub-${userInfo().username}`);
const folder = () => join(outer(), 'mocks');

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'sitepub-mocks-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

/** A record as a mock of this process would write it. */
function writeRecord(name: string, record: object): void {
  writeFileSync(join(folder(), `${name}.json`), JSON.stringify(record));
}

const alive = { pid: process.pid, control_url: 'http://127.0.0.1:1/_mock', started_at: 1 };

test('a mock is found while it is recorded, and only this user may look', () => {
  expect(lastMock()).toBeUndefined();
  const forget = recordMock('http://127.0.0.1:4010/_mock');
  expect(lastMock()?.control_url).toBe('http://127.0.0.1:4010/_mock');
  const modes = [outer(), folder(), join(folder(), `${process.pid}.json`)].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o600]);
  forget?.();
  expect(lastMock()).toBeUndefined();
  expect(readdirSync(folder())).toEqual([]);
});

test('the last one that was started is found', () => {
  lastMock();
  writeRecord('a', { ...alive, control_url: 'http://127.0.0.1:2/_mock', started_at: 2 });
  writeRecord('b', { ...alive, control_url: 'http://127.0.0.1:3/_mock', started_at: 3 });
  writeRecord('c', alive);
  expect(lastMock()?.control_url).toBe('http://127.0.0.1:3/_mock');
});

test('what dead processes have left, and what is no record, is not found and removed', async () => {
  lastMock();
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  writeRecord('dead', { ...alive, pid: child.pid, started_at: 9 });
  writeRecord('negative', { ...alive, pid: -1, started_at: 9 });
  writeRecord('no-url', { ...alive, control_url: 'x', started_at: 9 });
  writeFileSync(join(folder(), 'broken.json'), '{');
  writeRecord('alive', alive);
  expect(lastMock()?.control_url).toBe('http://127.0.0.1:1/_mock');
  expect(readdirSync(folder())).toEqual(['alive.json']);
});

test('where others may write the folder, nothing in it is believed', () => {
  lastMock();
  writeRecord('alive', alive);
  chmodSync(folder(), 0o777);
  expect(lastMock()).toBeUndefined();
  expect(recordMock('http://127.0.0.1:4010/_mock')).toBeUndefined();
});

test('a link in the place of the folder is not followed', () => {
  const elsewhere = join(temporary, 'elsewhere');
  mkdirSync(join(elsewhere, 'mocks'), { recursive: true, mode: 0o700 });
  writeFileSync(join(elsewhere, 'mocks', 'a.json'), JSON.stringify(alive));
  symlinkSync(elsewhere, outer());
  expect(lastMock()).toBeUndefined();
});
