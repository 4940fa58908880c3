import { expect, test } from 'vitest';
import { createRandom } from '../../../openapi/random-profile.ts';
import type { ApiOperation } from './api-model.ts';
import { noiseOperations } from './noise-operations.ts';

const own: ApiOperation = {
  gaps: ['operation.list-sites'],
  ...{ method: 'GET', path: '/tenant/users/{id}', resource: 'user', action: 'list' },
  ...{ summary: { en: 'List', zh: '列表' }, needsWords: false, auth: 'bearer' },
  ...{ pathParameters: [], query: [], bodies: [], answers: [] },
};

const drawn = Array.from({ length: 20 }, (_, seed) =>
  noiseOperations([own], {
    random: createRandom(seed),
    spelling: 'snake',
    rename: (placeholder) => placeholder,
  }),
);

test('draws 15 to 60 operations, and no two of one method and path', () => {
  for (const operations of drawn) {
    const keys = operations.map(({ method, path }) => `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).not.toContain('GET /tenant/users/{}');
    expect(keys.length).toBeGreaterThanOrEqual(14);
    expect(keys.length).toBeLessThanOrEqual(60);
  }
});

test('leaves out what would be taken for an operation that the deployment does not offer', () => {
  const paths = drawn.flat().map(({ path }) => path);
  expect(paths).toContain('/admin/sites');
  expect(paths.filter((path) => /\/contents|publish|clone|\/ai\/images/.test(path))).toEqual([]);
});
