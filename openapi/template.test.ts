import { expect, test } from 'vitest';
import {
  fillPath,
  fillTemplate,
  patternOf,
  placeholdersOf,
  readSlots,
  schemaFromTemplate,
  slotsOf,
  wholePlaceholder,
} from './template.ts';
import { matcherOf } from './template-text.ts';

test('recognizes only a text that is exactly one placeholder', () => {
  const texts = ['{name}', 'a {name}', '{name}{name}', '{2x}', 'name'];
  expect(texts.map(wholePlaceholder)).toEqual(['name', ...Array(4).fill(undefined)]);
});

test('names each placeholder of a template once, in order', () => {
  const template = { a: '{title}', b: ['{id} and {title}', { c: '{text}' }], d: 1, e: null, '{key}': 'x' };
  expect(placeholdersOf(template)).toEqual(['title', 'id', 'text']);
});

const values = { id: 7, title: 'Tea', fields: { a: [1] }, none: null };

test.for([
  ['{title}', 'Tea'],
  ['{fields}', { a: [1] }],
  ['{none}', null],
  ['no. {id}: {title}', 'no. 7: Tea'],
  [
    { a: { b: ['{id}', 'x'] }, c: 1, d: null, e: {} },
    { a: { b: [7, 'x'] }, c: 1, d: null, e: {} },
  ],
  [{ a: '{absent}', b: '{id}' }, { b: 7 }],
  [{ a: 'no. {absent} of {id}' }, {}],
  [['{absent}', '{id}'], [7]],
  [{ a: '{constructor}', b: 'a {toString}' }, {}],
  [{ a: '{not a placeholder}' }, { a: '{not a placeholder}' }],
] as const)('fills %j', ([template, want]) => {
  expect(fillTemplate(template, values)).toEqual(want);
});

test('fills and reads a key __proto__ as a property', () => {
  const template = JSON.parse('{"__proto__": {"polluted": "{title}"}}');
  const filled = fillTemplate(template, values);
  expect(JSON.stringify(filled)).toBe('{"__proto__":{"polluted":"Tea"}}');
  expect(readSlots(slotsOf(template), filled)).toEqual({ title: 'Tea' });
  expect('polluted' in {}).toBe(false);
});

test.for([
  ['/sites/{id}/publish', '/sites/7/publish'],
  ['/sites/{absent}', '/sites/{absent}'],
  ['/sites/{constructor}', '/sites/{constructor}'],
  ['/forms/{odd}', '/forms/a%2Fb%20%3F%C3%BC'],
  ['/forms/{half}', '/forms/a%EF%BF%BD'],
] as const)('fills the path %s', ([path, want]) => {
  expect(fillPath(path, { ...values, odd: 'a/b ?ü', half: 'a\ud800' })).toBe(want);
});

test.for([
  [{ a: '{id}', b: '{title}' }, { b: 'Tea' }, { title: 'Tea' }],
  [{ a: '{id}' }, undefined, {}],
  [{ a: { b: '{id}' } }, { a: 1 }, {}],
  [{ a: 'no. {id}' }, { a: 'number 7' }, {}],
  [{ a: 'no. {id}' }, { a: 7 }, {}],
  [['{id}', '{title}'], [7], { id: 7 }],
  ['{fields}', { a: 1 }, { fields: { a: 1 } }],
] as const)('with %j, reads the body %j as %j', ([template, body, want]) => {
  expect(readSlots(slotsOf(template), body)).toEqual(want);
});

test.for([
  ['no. {id}', 'no. 7', { id: '7' }],
  ['no. {id}', 'no? 7', undefined],
  ['({a}|{b})', '(1|2)', { a: '1', b: '2' }],
  ['{a}-{a}', '1-1', { a: '1' }],
  ['{a}-{a}', '1-2', undefined],
  ['{a}{a}0', '110', { a: '1' }],
  ['a{a}', 'aa', { a: 'a' }],
  ['{a}.', 'two\nlines.', { a: 'two\nlines' }],
  ['{a}, {b}, {c}.', '1, 2.', undefined],
  ['{a}, {b}.', ', .', { a: '', b: '' }],
  ['{a}, {b}.', ',.', undefined],
  ['ab{a}b{b}', 'ab', undefined],
  ['ab{a}ba', 'aba', undefined],
  ['{a}1{b}2', '112', { a: '1', b: '' }],
  ['{a}aa{b}', 'aaa', { a: 'a', b: '' }],
  ['{a} is {a}, {b}', 'Tea is Tea, x, y', { a: 'Tea', b: 'x, y' }],
  ['{a}{b}!', 'ab!', { a: 'ab', b: '' }],
  ['a{a}b{b}a', 'aba', { a: '', b: '' }],
] as const)('with %s, reads %j as %j', ([template, text, want]) => {
  const { source } = patternOf(template);
  for (const pattern of [new RegExp(source), new RegExp(source, 'u'), matcherOf(source, 'u')])
    expect(pattern.test(text)).toBe(want !== undefined);
  expect(readSlots(slotsOf({ a: template }), { a: text })).toEqual(want ?? {});
});

test.for([
  ['{a}-{b}-{c}.', '-'],
  ['{a}-{a}', '-'],
  ['{a}{b}{c}{d}.', 'x'],
  ['{a} {b} {a}!', ' '],
] as const)('reads %s in linear time', ([template, character]) => {
  const slots = slotsOf(template);
  const matcher = matcherOf(patternOf(template).source, 'u');
  const timeOf = (length: number) => {
    const text = character.repeat(length);
    const startedAt = performance.now();
    for (let round = 0; round < 20; round++) {
      readSlots(slots, text);
      matcher.test(text);
    }
    return performance.now() - startedAt;
  };
  timeOf(10_000);
  expect(timeOf(100_000)).toBeLessThan(Math.max(50, timeOf(10_000) * 15));
});

const id = { type: 'integer', 'x-gap': 'g', 'x-value': 'id' };
const note = { type: 'string', 'x-gap': 'g', 'x-value': 'note' };
const fixed = { type: 'string', const: 'fixed', 'x-gap': 'g' };
const object = { type: 'object', 'x-gap': 'g' };

test.for([
  ['{id}', id],
  ['{constructor}', { 'x-gap': 'g', 'x-value': 'constructor' }],
  ['fixed', fixed],
  [5, { type: 'integer', const: 5, 'x-gap': 'g' }],
  [null, { type: 'null', const: null, 'x-gap': 'g' }],
  ['no. {id}', { type: 'string', pattern: '^no\\. ([\\s\\S]*)$', 'x-gap': 'g', 'x-template': 'no. {id}' }],
  [['{id}', 'fixed'], { type: 'array', 'x-gap': 'g', minItems: 2, prefixItems: [id, fixed] }],
  [{}, { ...object, properties: {} }],
  [
    { site: '{id}', remark: '{note}', kind: 'fixed' },
    { ...object, required: ['site', 'kind'], properties: { site: id, remark: note, kind: fixed } },
  ],
] as const)('makes a schema from %j', ([template, want]) => {
  const schemas = { id: { type: 'integer' }, note: { type: 'string' } };
  expect(schemaFromTemplate(template, { schemas, required: ['id'], gap: 'g' })).toEqual(want);
});
