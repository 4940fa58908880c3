import { expect, test } from 'vitest';
import { formatPointer, getAt, isIndex, parsePointer, removeAt, setAt } from './json-pointer.ts';

test.for([
  ['', []],
  ['/', ['']],
  ['/data/a~1b', ['data', 'a/b']],
  ['/data/m~0n', ['data', 'm~n']],
  ['/data/~01', ['data', '~1']],
] as const)('reads and writes %s as segments', ([pointer, segments]) => {
  expect(parsePointer(pointer)).toEqual(segments);
  expect(formatPointer(segments)).toBe(pointer);
});

const document = { data: { list: [{ id: 7 }], 'a/b': 1, empty: null } };

test.for([
  ['', document],
  ['/data/list/0/id', 7],
  ['/data/a~1b', 1],
  ['/data/empty', null],
  ['/data/empty/x', undefined],
  ['/data/list/1', undefined],
  ['/data/list/0/id/x', undefined],
  ['/nothing/at/all', undefined],
  ['/__proto__', undefined],
] as const)('reads %s of a document as %j', ([pointer, want]) => {
  expect(getAt(document, pointer)).toEqual(want);
});

test.for([
  [{}, '/token', { token: 'v' }],
  [{}, '/data/a/b/c', { data: { a: { b: { c: 'v' } } } }],
  [{}, '/data/tokens/0', { data: { tokens: ['v'] } }],
  [{}, '/data/tokens/0/value', { data: { tokens: [{ value: 'v' }] } }],
  [{ data: ['a'] }, '/data/1', { data: ['a', 'v'] }],
  [{ data: {} }, '/data/0', { data: { 0: 'v' } }],
  [{ data: null }, '/data/x', { data: { x: 'v' } }],
  [{ id: 1, data: 'text' }, '/data/x', { id: 1, data: { x: 'v' } }],
] as const)('puts a value into %j at %s', ([given, pointer, want]) => {
  const target = structuredClone(given);
  setAt(target, pointer, 'v');
  expect(target).toEqual(want);
});

test('puts __proto__ as an ordinary property', () => {
  const target = {};
  setAt(target, '/__proto__/polluted', 'v');
  expect(JSON.stringify(target)).toBe('{"__proto__":{"polluted":"v"}}');
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  expect('polluted' in {}).toBe(false);
});

test.for([
  [{ data: { token: 'v', id: 1 } }, '/data/token', { data: { id: 1 } }],
  [{ data: {} }, '/data/token', { data: {} }],
  [{}, '/data/token', {}],
  [{ data: 1 }, '', { data: 1 }],
] as const)('from %j, removes %s', ([given, pointer, want]) => {
  const target = structuredClone(given);
  removeAt(target, pointer);
  expect(target).toEqual(want);
});

test('an index is a number below 10,000 without leading zeros', () => {
  expect(['0', '9999', '10000', '01', '1a', undefined].filter(isIndex)).toEqual(['0', '9999']);
});
