import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { messageTypes } from '../inbox/robots/testing.ts';
import { profileWith } from '../testing/open-mock.ts';
import { robotMessage } from '../webhooks/robot-message.ts';
import { readChatMessage } from './page/chat-message.ts';
import { curlOf } from './page/curl-of.ts';
import { parseExactly, writeExactly } from './page/exact-json.ts';
import { worldNameIn } from './page/world-name.ts';

/** Splits the curl command into words, as a shell does. */
function wordsOf(request: Parameters<typeof curlOf>[0]): string[] {
  const line = curlOf(request, 'http://127.0.0.1:4010/api/v1');
  const script = `curl() { for word; do printf '%s\\0' "$word"; done; }; TOKEN=secret; ${line}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('the curl command repeats the request, with a variable for the token', () => {
  const headers = { host: 'x', authorization: 'Bearer st_…', 'x-a': 'b', 'sec-fetch-site': 'none' };
  const body = { note: "it's", id: 1892345678901234567n };
  const request = { method: 'POST', path: '//evil.example/?x=1', request_headers: headers };
  expect(wordsOf({ ...request, request_body: body })).toEqual([
    // Two slashes must not select another host.
    ...['-X', 'POST', 'http://127.0.0.1:4010//evil.example/?x=1'],
    ...['-H', 'Authorization: Bearer secret', '-H', 'x-a: b'],
    ...['--data', '{"note":"it\'s","id":1892345678901234567}'],
  ]);
});

test.each(["'; touch /tmp/x; '", '$(id)', '`id`', '"$TOKEN"', '\\'])(
  'the curl command does not execute %j',
  (hostile) => {
    const request = {
      method: 'POST',
      path: '/a',
      request_headers: { 'x-a': hostile },
      request_body: hostile,
    };
    expect(wordsOf(request).slice(3)).toEqual(['-H', `x-a: ${hostile}`, '--data', JSON.stringify(hostile)]);
  },
);

const content = { title: 'Published', lines: ['site: 101', 'pages: 12'] };

test.each(messageTypes)('reads the %s message of type %s', (robot, type) => {
  const profile = profileWith({ [`channel.${robot}`]: type });
  const shown = readChatMessage(robotMessage(robot, content, profile));
  expect(`${shown?.title ?? ''}\n${shown?.text}`).toMatch(/Published[\s\S]*site: 101[\s\S]*pages: 12/);
});

const odd = ['text', 'null', '{"text":3}', '{"content": {"post": {"a": null}}}', '{"card": {"elements": 3}}'];

test.each(odd)('does not take %s for a chat message', (body) => {
  expect(readChatMessage(body)).toBeUndefined();
});

test('reads and writes JSON integers with all digits', () => {
  const text = '{"id":1892345678901234567,"list":[7,-1.5,1e30],"text":"1892345678901234567"}';
  expect(parseExactly(text)).toEqual({
    id: 1892345678901234567n,
    list: [7, -1.5, 1e30],
    text: '1892345678901234567',
  });
  expect(writeExactly(parseExactly(text))).toBe(text.replace('1e30', '1e+30'));
  expect(() => parseExactly('{')).toThrow(SyntaxError);
});

test.for([
  ['/_mock/', undefined],
  ['/w/pr-1/_mock/', 'pr-1'],
  ['/behind/a/proxy/w/Shop.2_b/_mock/', 'Shop.2_b'],
  ['/w/_mock/', undefined],
])('the console at %s belongs to the world %s', ([path, name]) => {
  expect(worldNameIn(String(path))).toBe(name);
});
