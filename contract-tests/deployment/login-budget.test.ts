import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NotVerified } from '../core/outcomes.ts';
import { createLoginBudget } from './login-budget.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitepub-budget-'));
  vi.useFakeTimers({ now: Date.parse('2026-01-02T03:04:05Z'), toFake: ['Date'] });
});

afterEach(() => void vi.useRealTimers());

test('lets checks use all logins of a minute except the reserve', async () => {
  const budget = open();
  await budget.take('mei', 8);
  expect(budget.isShort('mei')).toBe(true);
  await expect(budget.take('mei', 1)).rejects.toStrictEqual(
    new NotVerified(
      "the tenant's 10 logins per minute are nearly used up; run again in 61 s, or with --max-wait 61s",
    ),
  );
});

test.for([
  [7, false],
  [8, true],
  [10, true],
] as const)('after %i logins only the reserve is left: %j', async ([count, want]) => {
  const budget = open();
  for (let taken = 0; taken < count; taken++) await budget.takeNecessary('mei');
  expect(budget.isShort('mei')).toBe(want);
});

test('counts the logins of earlier runs', async () => {
  await open().take('mei', 8);
  expect(open().isShort('mei')).toBe(true);
  await expect(open().take('mei', 1)).rejects.toThrow(NotVerified);
});

test('counts tenants and deployments separately', async () => {
  await open().take('mei', 7);
  expect(open().isShort('zoe')).toBe(false);
  expect(open({ baseUrl: 'http://[::1]:9/api/v1' }).isShort('mei')).toBe(false);
});

test('counts the logins of a tenant after another logs in', async () => {
  await open().take('mei', 8);
  await open().take('zoe', 1);
  expect(open().isShort('mei')).toBe(true);
});

test('stops counting a login after a minute and a second', async () => {
  await open().take('mei', 8);
  vi.setSystemTime(Date.now() + 60_000);
  await expect(open().take('mei', 8)).rejects.toThrow('run again in 1 s, or with --max-wait 1s');
  vi.setSystemTime(Date.now() + 1_000);
  await open().take('mei', 8);
  expect(open().isShort('mei')).toBe(true);
});

test('waits only for the requested number of logins', async () => {
  const budget = open();
  await budget.take('mei', 4);
  vi.setSystemTime(Date.now() + 30_000);
  await budget.take('mei', 4);
  await expect(budget.take('mei', 4)).rejects.toThrow('run again in 31 s');
  await expect(budget.take('mei', 5)).rejects.toThrow('run again in 61 s');
});

test('stores neither usernames nor addresses', async () => {
  await open().take('mei@harbour-cafe.example', 1);
  expect(readFileSync(join(folder, 'logins.json'), 'utf8')).toMatch(/^\{"[0-9a-f]{16}":\[1767323045000\]\}$/);
});

test('ignores a ledger that is invalid or cannot be written', async () => {
  writeFileSync(join(folder, 'logins.json'), '{');
  await open().take('mei', 1);
  const budget = open({ folder: join(folder, 'logins.json', 'nowhere') });
  await budget.take('mei', 1);
  expect(budget.isShort('mei')).toBe(false);
});

function open(different: { baseUrl?: string; folder?: string } = {}) {
  return createLoginBudget({ baseUrl: 'http://127.0.0.1:9/api/v1', maxWaitMs: 0, folder, ...different });
}
