import { expect, test } from 'vitest';
import { exchangeOf } from '../../testing.ts';
import { showsKey } from './shown-keys.ts';

const key = 'sp_aB3dE6gH9jK2mN5p';
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.for<[string, unknown]>([
  ['whole', { data: { key } }],
  ['without its prefix', { data: { secret: key.slice(3) } }],
  ['in two pieces', { data: { from: 'sp_aB3dE6', to: 'gH9jK2mN5p' } }],
  ['within a text', { message: `created ${key} just now` }],
  ['in Base64', { data: base64(key) }],
  ['in Base64, after something else', { data: base64(`key:${key}`) }],
  ['as hexadecimal digits', { data: Buffer.from(key).toString('hex') }],
])('finds a key %s', ([, json]) => {
  expect(showsKey(exchangeOf(json), key)).toBe(true);
});

test('finds a key in a header', () => {
  expect(showsKey(exchangeOf({}, { headers: { 'x-key': key } }), key)).toBe(true);
});

test.for<[string, unknown]>([
  ['its beginning and end', { data: { key: 'sp_aB3…mN5p' } }],
  ['half of it', { data: { key: key.slice(0, 11) } }],
  ['its digest', { data: 'b1a7c9d0e2f4a6b8c0d1e2f3a4b5c6d7' }],
  ['nothing', {}],
])('finds no key in an answer with %s', ([, json]) => {
  expect(showsKey(exchangeOf(json), key)).toBe(false);
});

test('does not search for masked or short keys', () => {
  expect(showsKey(exchangeOf({ id: 'abc' }), 'sp_abc')).toBe(false);
  expect(showsKey(exchangeOf({ key: 'sp_********' }), 'sp_********')).toBe(false);
});
