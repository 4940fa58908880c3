import { expect, test } from 'vitest';
import { describePush, indentJson, pushAsJson, type ReceivedPush } from './print-push.ts';

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

test('prints a push as text', () => {
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

test('prints a push as one line of JSON with joined headers', () => {
  const json = JSON.parse(pushAsJson(push));
  expect(json).toEqual({
    ...{ at: '2026-01-02T03:04:05.678Z', method: 'POST', path: '/hook', attempt: 2, verified: null },
    headers: { host: 'a', 'x-two': '1, 2', authorization: '(hidden)', cookie: '(hidden)' },
    ...{ event: 'form.submit', body: push.body.toString(), answer: 'timeout' },
  });
  const { body: _body, ...others } = json;
  const odd = JSON.parse(pushAsJson({ ...push, body: Buffer.of(0xff) }));
  expect(odd).toEqual({ ...others, event: null, body_base64: '/w==' });
});

test.for<[Partial<ReceivedPush>, string]>([
  [{ body: Buffer.of() }, '\n\n  (no body)\n\n  not answered\n'],
  [{ body: Buffer.from([0xff, 0]) }, '\n\n  (2 bytes that are not UTF-8, in Base64) /wA=\n\n'],
  [{ body: Buffer.from('x'.repeat(16_384)) }, `\n\n  ${'x'.repeat(16_384)}\n\n`],
  [{ body: Buffer.from('x'.repeat(16_385)) }, `\n\n  ${'x'.repeat(16_384)}… (16385 characters in all)\n\n`],
  [{ method: 'GET' }, '  GET /hook  form.submit  attempt 2  not a push\n'],
  [{ isTooLong: true }, '  attempt 2  not read: longer than 8000000 bytes\n'],
  [{ isTooLong: true, answer: 413 }, '\n\n  (the body was not read)\n\n  answered 413\n'],
  // A path cannot control the terminal.
  [{ path: '/\u009b2J\n' }, '  POST /\\u009b2J\\n  form.submit  '],
])('shows %.40j as %.60j', ([change, want]) => {
  expect(`  ${describePush({ ...push, ...change }).slice(26)}`).toContain(want);
});

test.for(['::stop-commands::x', 'a\n  ::stop-commands::x', '##vso[task.setvariable]x'])(
  'escapes CI commands in a push: %j',
  (command) => {
    const hostile = { ...push, path: command, rawHeaders: ['X-A', command], body: Buffer.from(command) };
    const shown = `${describePush(hostile)}\n${pushAsJson(hostile)}`;
    expect(shown).not.toMatch(/^\s*::|##[a-z]*\[/m);
    expect(JSON.parse(pushAsJson(hostile))).toMatchObject({ path: command, body: command });
  },
);

const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;

test.for([
  [' [ ] ', '[]'],
  ['"a"', '"a"'],
  ['{"a":{},"b":[],"c":[{}]}', '{\n  "a": {},\n  "b": [],\n  "c": [\n    {}\n  ]\n}'],
  ['{"a" : 1.0,\r\n "a":9007199254740993123}', '{\n  "a": 1.0,\n  "a": 9007199254740993123\n}'],
  ['["\\u793a\\/","a{,:}[\\"]"]', '[\n  "\\u793a\\/",\n  "a{,:}[\\"]"\n]'],
  ['{"a":', '{"a":'],
  ['', ''],
  [deep, deep],
] as const)('indents %.40j without changing tokens', ([text, want]) => {
  expect(indentJson(text)).toBe(want);
});
