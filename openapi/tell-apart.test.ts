import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { schemaOfSign, shows, tellApart } from './tell-apart.ts';

const inBody = (body: unknown) => ({ query: {}, body });

test.for([
  [{ mode: 'a' }, { mode: 'b' }, { in: 'body', path: ['mode'], constant: 'a' }],
  [{ n: '{note}' }, { n: '{note}', x: 1 }, { in: 'body', path: ['x'], constant: 1, isNegated: true }],
  [{ fail: [{ x: 1 }] }, {}, { in: 'body', path: ['fail', 0, 'x'], constant: 1 }],
  [{ id: '{contentID}', t: '{title}' }, { t: '{title}' }, { in: 'body', path: ['id'] }],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { in: 'body', path: ['a', 'c'], constant: 2 }],
  // A constant is a better sign than a placeholder.
  [{ id: '{contentID}', x: 1 }, { x: 2 }, { in: 'body', path: ['x'], constant: 1 }],
  // Nothing distinguishes these for certain.
  [{ n: '{note}' }, { n: '{note}' }, undefined],
  [{ n: '{note}' }, { n: 'fail' }, undefined],
  [{ a: '{note}' }, { a: { b: 1 } }, undefined],
  [{ p: '{page}' }, {}, undefined],
  [{}, undefined, undefined],
] as const)('distinguishes %j from %j by %j', ([one, other, sign]) => {
  expect(tellApart(inBody(one), inBody(other))).toEqual(sign);
});

test.for([
  [{ in: 'body', path: ['a', 'b'], constant: 1 }, { a: { b: 1, c: 2 } }, true],
  [{ in: 'body', path: ['a', 'b'], constant: 1 }, { a: { b: 2 } }, false],
  [{ in: 'body', path: ['a'], constant: [1] }, { a: [1] }, true],
  [{ in: 'body', path: ['a', 1] }, { a: [1, 2] }, true],
  [{ in: 'body', path: ['a', 1] }, { a: [1] }, false],
  [{ in: 'body', path: ['a', 0] }, { a: { 0: 1 } }, true],
  [{ in: 'body', path: ['constructor'] }, {}, false],
] as const)('finds %j in %j: %j', ([sign, body, want]) => {
  expect(shows(sign, inBody(body))).toBe(want);
  expect(shows({ ...sign, isNegated: true }, inBody(body))).toBe(!want);
  const isThere = Array.isArray((body as { a?: unknown }).a) || typeof sign.path[1] !== 'number';
  if (isThere)
    expect(new Ajv2020({ strict: false, ownProperties: true }).validate(schemaOfSign(sign), body)).toBe(want);
});
