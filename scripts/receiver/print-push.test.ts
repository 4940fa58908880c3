import { expect, test } from 'vitest';
import { indentJson } from './indent-text.ts';
import { describePush, pushAsJson, type ReceivedPush } from './print-push.ts';

const push: ReceivedPush = {
  at: new Date('2026-01-02T03:04:05.678Z'),
  method: 'POST',
  path: '/hook',
  rawHeaders: ['Host', 'a', 'X-Two', '1', 'x-two', '2', 'Authorization', 'Bearer abc', 'Cookie', 'id=7'],
  body: Buffer.from('{"event":"form.submit","data":{"n":1.0}}'),
  attempt: 2,
  verification: undefined,
  secrets: 0,
  answer: 'timeout',
};

test('is printed in lines', () => {
  expect(
    describePush(push),
  ).toBe(`2026-01-02T03:04:05.678Z  POST /hook  form.submit  attempt 2  not verified: no secret is set
  Host: a
  X-Two: 1
  x-two: 2
  Authorization: (hidden)
  Cookie: (hidden)

  {
    "event": "form.submit",
    "data": {
      "n": 1.0
    }
  }

  not answered
`);
});

test('is printed in one line of JSON, headers joined', () => {
  expect(JSON.parse(pushAsJson(push)).headers).toEqual({
    host: 'a',
    'x-two': '1, 2',
    authorization: '(hidden)',
    cookie: '(hidden)',
  });
});

test('a path that controls a terminal is made harmless, whatever the server lets through', () => {
  expect(describePush({ ...push, path: '/\u009b2J\n' })).toContain('POST /\\u009b2J\\n  form.submit');
});

test.for([
  ['', '  (no body)'],
  ['{}', '  {}'],
  [Buffer.from([0xff, 0]), '  (2 bytes that are not UTF-8, in Base64) /wA='],
  ['x'.repeat(16_384), `  ${'x'.repeat(16_384)}`],
  ['x'.repeat(16_385), `  ${'x'.repeat(16_384)}… (16385 characters in all)`],
] as const)('%.20s is shown as %.60s', ([body, want]) => {
  expect(
    describePush({ ...push, body: Buffer.from(body) })
      .split('\n')
      .slice(7, -3),
  ).toEqual([want]);
});

test('a body that was too long is said to be unread', () => {
  const unread = { ...push, body: Buffer.alloc(0), isTooLong: true, answer: 413 };
  const [head = '', ...lines] = describePush(unread).split('\n');
  expect(head).toMatch(/ attempt 2 {2}not read: longer than 8000000 bytes$/);
  expect(lines.slice(6)).toEqual(['  (the body was not read)', '', '  answered 413', '']);
});

test('another method is not a push', () => {
  expect(describePush({ ...push, method: 'GET', body: Buffer.alloc(0) })).toContain(
    'GET /hook  attempt 2  not a push\n',
  );
});

test.for(['::stop-commands::x', 'a\n  ::stop-commands::x', '##vso[task.setvariable]x'])(
  'a log obeys nothing of a push: %j',
  (command) => {
    const hostile = { ...push, path: command, rawHeaders: ['X-A', command], body: Buffer.from(command) };
    const shown = `${describePush(hostile)}\n${pushAsJson(hostile)}`;
    expect(shown).not.toMatch(/^\s*::|##[a-z]*\[/m);
    expect(JSON.parse(pushAsJson(hostile))).toMatchObject({ path: command, body: command });
  },
);

test.for([
  ['{}', '{}'],
  [' [ ] ', '[]'],
  ['"a"', '"a"'],
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['{"a":{},"b":[],"c":[{}]}', '{\n  "a": {},\n  "b": [],\n  "c": [\n    {}\n  ]\n}'],
  ['{"a" : 1.0,\r\n "a":9007199254740993123}', '{\n  "a": 1.0,\n  "a": 9007199254740993123\n}'],
  ['["\\u793a\\/","a{,:}[\\"]"]', '[\n  "\\u793a\\/",\n  "a{,:}[\\"]"\n]'],
  ['{"a":', '{"a":'],
  ['not JSON', 'not JSON'],
  ['', ''],
] as const)('%j is indented', ([text, want]) => {
  expect(indentJson(text)).toBe(want);
});

test('indents as JSON.stringify does', () => {
  const value = { a: [1, { b: null, c: [[], [true, 'x, y: [z]']] }], d: {}, e: '"\\' };
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
});

test('what is nested too deeply is left as it is', () => {
  const text = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  expect(indentJson(text)).toBe(text);
});
