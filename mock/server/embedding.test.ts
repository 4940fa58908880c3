import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startMock } from '../start.ts';

const suite = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMock } from '${new URL('../start.ts', import.meta.url)}';

test('a mock in node:test', async () => {
  const mock = await startMock({ clock: 'manual', world: { tenants: [{ name: 'A', api_keys: [{ key: 'sp_known' }], sites: [{ id: 5, name: 'x' }] }] } });
  const response = await fetch(mock.baseUrl + '/tenant/sites', { headers: { authorization: 'Bearer sp_known' } });
  assert.equal((await response.json()).data.total, 1);
  assert.equal((await mock.control.advance('PT1H')).now, '2026-01-01T01:00:00.000Z');
  await mock.close();
});
`;

test('works in node:test without keeping the process alive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-embedding-'));
  const file = join(folder, 'suite.test.mjs');
  writeFileSync(file, suite);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file]);
    expect(stdout).toMatch(/^# pass 1$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('two mocks in one process are independent', async () => {
  const [one, other] = [await startMock({ clock: 'manual' }), await startMock({ clock: 'manual', seed: 2 })];
  await one.control.advance('PT1H');
  expect([one.control.clock().now, other.control.clock().now]).toEqual([
    '2026-01-01T01:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
  ]);
  expect(one.tenants[0]?.apiKey).not.toBe(other.tenants[0]?.apiKey);
  for (const mock of [one, other]) await mock.close();
});

test('an invalid world is refused with all reasons, and nothing is started', async () => {
  const world = { tenants: [{ name: 'A', sites: [{ id: -1, name: 'x' }] }, { name: 'A' }] };
  await expect(startMock({ world })).rejects.toThrow('tenants[0].sites[0].id: expected');
});
