import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import * as start from '../start.ts';
import { makeFolder } from '../testing/started-mock.ts';
import { explainNode } from './check-node.ts';
import * as entrance from './index.ts';

test('only Node 22.19 or newer runs an embedded mock, as package.json says', () => {
  for (const version of ['22.19.0', '24.0.0']) expect(explainNode(version)).toBeUndefined();
  for (const version of ['18.20.8', '22.18.0'])
    expect(explainNode(version)).toBe(
      `sitepub/mock needs Node 22.19 or newer, but this is Node ${version}; use a newer version, for example Node 24`,
    );
  expect(packageJson.engines.node).toBe('>=22.19');
});

test('the entry point exports the same as the module, with the same errors', async () => {
  expect(Object.keys(entrance).sort()).toEqual(Object.keys(start).sort());
  await expect(entrance.startMock({ tenants: 0 })).rejects.toThrow(entrance.MockError);
  const mock = await entrance.startMock();
  expect(mock.tenants).toHaveLength(2);
  await mock.close();
});

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
  const file = join(makeFolder(), 'suite.test.mjs');
  writeFileSync(file, suite);
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file]);
  expect(stdout).toMatch(/^# pass 1$/m);
});
