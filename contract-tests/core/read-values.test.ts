import { expect, test } from 'vitest';
import { isPathPart, readValues } from './read-values.ts';

test.for(['a/b', 'YWJj//8=', 1, 0, -7, 2n ** 70n, 'a-b_c.d', 'x..', '...', 'é 海', 'a%2Fb', 'sub:7'])(
  'the identifier %s can stand in a path',
  (id) => expect(isPathPart(id)).toBe(true),
);

const unfit: readonly unknown[] = [
  ...['', '.', '..', 'a/../b', '/', '\\', 'a\u0000', 'a\nb', '\ud800', 'x'.repeat(1_001)],
  ...[null, true, {}, [], ['..'], { toString: 1 }],
];

test.for(unfit)('the identifier %j can not', (id) => expect(isPathPart(id)).toBe(false));

const layout = {
  values: { id: ['data', 'id'], next: ['data', 'next'], list: ['data', 'list'], url: ['data', 'url'] },
  items: { id: ['id'], name: ['name'] },
};

test('what has no usable identifier has none, and the rest of its values', () => {
  const list = [
    { id: '..', name: '..' },
    { id: 7, name: 'b' },
    { id: {}, name: {} },
  ];
  const data = { id: '..', next: { toString: 1 }, url: '..', list };
  expect(readValues(layout, { data })).toEqual({
    url: '..',
    list: [{ name: '..' }, { id: 7, name: 'b' }, { name: {} }],
  });
});

test('usable ones are given as they came', () => {
  const data = { id: 'a', next: 'b/../c', list: [{ id: null, name: 'd' }] };
  expect(readValues(layout, { data })).toEqual(data);
});
