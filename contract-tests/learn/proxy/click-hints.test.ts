import { expect, test } from 'vitest';
import { gaps } from '../../../openapi/registers.ts';
import { clickHints, clicks } from './click-hints.ts';

test('each operation that a profile can state has a click', () => {
  const operations = gaps.filter(({ kind }) => kind === 'operation').map(({ id }) => id);
  expect(Object.keys(clicks).sort()).toEqual(operations.sort());
});

test('what is missing is told as what to click, in its order; other gaps are not', () => {
  expect(clickHints(['operation.delete-content', 'login.token', 'operation.list-sites'])).toEqual([
    'delete a content item to learn operation.delete-content',
    'open the list of sites to learn operation.list-sites',
  ]);
});
