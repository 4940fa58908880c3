import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf } from './page/curl-of.ts';

const base = 'http://127.0.0.1:4010/api/v1';

/** The words that a shell makes of it. */
function wordsOf(line: string): string[] {
  const script = `curl() { for word; do printf '%s\\0' "$word"; done; }; TOKEN=secret; ${line}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('is a line that repeats the request, with a variable for the token', () => {
  const line = curlOf(
    {
      method: 'POST',
      path: '/api/v1/auth/tenant/login?x=1',
      request_headers: {
        host: 'x',
        authorization: 'Bearer st_…',
        'content-type': 'application/json',
        'sec-fetch-site': 'none',
      },
      request_body: { note: "it's" },
    },
    base,
  );
  expect(wordsOf(line)).toEqual([
    '-X',
    'POST',
    'http://127.0.0.1:4010/api/v1/auth/tenant/login?x=1',
    '-H',
    'Authorization: Bearer secret',
    '-H',
    'content-type: application/json',
    '--data',
    '{"note":"it\'s"}',
  ]);
});

test('a path that begins with two slashes leads to no other host', () => {
  const line = curlOf({ method: 'GET', path: '//evil.example/', request_headers: {} }, base);
  expect(wordsOf(line)).toEqual(['-X', 'GET', 'http://127.0.0.1:4010//evil.example/']);
});

test.each(["'; touch /tmp/x; '", '$(id)', '`id`', '"$TOKEN"', '\\', '--config'])(
  'nothing of %j is run',
  (hostile) => {
    const request = {
      method: 'POST',
      path: '/a',
      request_headers: { 'x-a': hostile },
      request_body: hostile,
    };
    expect(wordsOf(curlOf(request, base))).toEqual([
      '-X',
      'POST',
      'http://127.0.0.1:4010/a',
      '-H',
      `x-a: ${hostile}`,
      '--data',
      JSON.stringify(hostile),
    ]);
  },
);
