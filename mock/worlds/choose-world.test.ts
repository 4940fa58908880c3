import { expect, test } from 'vitest';
import { chooseWorld, isWorldName } from './choose-world.ts';

test.each([
  ['/api/v1/tenant/sites', undefined, undefined],
  ['/_mock/health', undefined, undefined],
  ['/', undefined, undefined],
  ['/w', undefined, undefined],
  ['/world/x', undefined, undefined],
  ['/w/pr-1/api/v1/tenant/sites?x=/w/y', undefined, { name: 'pr-1', url: '/api/v1/tenant/sites?x=/w/y' }],
  ['/w/pr%2D1/_mock', undefined, { name: 'pr-1', url: '/_mock' }],
  ['/w/pr-1', undefined, { name: 'pr-1', url: '/' }],
  ['/w/pr-1?x=1', undefined, { name: 'pr-1', url: '/?x=1' }],
  ['/w//api/v1', undefined, { name: '', url: '/api/v1' }],
  ['/w/%zz/api/v1', undefined, { name: '%zz', url: '/api/v1' }],
  ['/w/a/w/b/api/v1', undefined, { name: 'a', url: '/w/b/api/v1' }],
  ['http://evil.example/w/a/_mock/world', undefined, { name: 'a', url: 'http://evil.example/_mock/world' }],
  ['/api/v1/tenant/sites', 'pr-1', { name: 'pr-1', url: '/api/v1/tenant/sites' }],
  ['/w/a/api/v1', 'a', { name: 'a', url: '/api/v1' }],
  ['/api/v1', '', { name: '', url: '/api/v1' }],
] as const)('%s with the header %s names %j', (url, header, wanted) => {
  expect(chooseWorld(url, header === undefined ? {} : { 'x-sitepub-world': header })).toEqual(wanted);
});

test('a path and a header that name two worlds are told apart from those that agree', () => {
  expect(chooseWorld('/w/a/api/v1', { 'x-sitepub-world': 'b' })?.problem).toBe(
    'the path names the world "a" and the header X-Sitepub-World names "b"; send one of them',
  );
});

test('a name is what no path, file or gateway changes', () => {
  const good = ['a', '7', 'pr-4711', 'A.b_c', 'x'.repeat(63)];
  const bad = ['', '.', '..', '-a', '.a', 'a/b', 'a b', 'é', 'a%2f', 'a\n', 'x'.repeat(64)];
  expect(good.map(isWorldName)).toEqual(good.map(() => true));
  expect(bad.map(isWorldName)).toEqual(bad.map(() => false));
});
