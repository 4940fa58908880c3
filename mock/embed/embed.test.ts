import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import * as start from '../start.ts';
import { explainNode } from './check-node.ts';
import * as entrance from './index.ts';

test.each([
  ['18.20.8', false],
  ['22.18.0', false],
  ['22.19.0', true],
  ['24.0.0', true],
])('Node %s can run an embedded mock: %s', (version, can) => {
  expect(explainNode(version) === undefined).toBe(can);
});

test('the package promises the same version', () => {
  expect(packageJson.engines.node).toBe('>=22.19');
});

test('an old Node is told what is needed', () => {
  expect(explainNode('20.20.2')).toBe(
    'sitepub/mock needs Node 22.19 or newer, and this is 20.20.2: run this under a newer one, such as Node 24',
  );
});

test('the entrance has what the module behind it has, and the same errors', async () => {
  expect(Object.keys(entrance).sort()).toEqual(Object.keys(start).sort());
  await expect(entrance.startMock({ tenants: 0 })).rejects.toThrow(entrance.MockError);
  const mock = await entrance.startMock();
  expect(mock.tenants).toHaveLength(2);
  await mock.close();
});
