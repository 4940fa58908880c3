import { expect, test } from 'vitest';
import { answerAsRobot } from './robot-answer.ts';
import { answerTo, type CallOptions, callOf, calls, now } from './testing.ts';

const text = (content: unknown) => ({ msgtype: 'text', text: { content } });
const fine = text('x');
const accepted = '0 ok';
const unknownKey = '93000 invalid webhook url';
const tooOften = '45009 api freq out of limit';
const wrongType = '40008 invalid message type';
const empty = '44004 empty content';

const token = { token: 'secret-key' };
const full = () => ({ times: calls(20) });

// Which messages are refused stands in the table of openapi/robots/testing (see robots.test.ts): here is how that is worded.
test.each<[string, unknown, CallOptions, string]>([
  ['with a key where any will do', fine, { path: '?key=x' }, accepted],
  ['with the right key', fine, { path: '/send?debug=1&key=secret-key', settings: token }, accepted],
  ['without the key', fine, { settings: token }, unknownKey],
  ['with a wrong key of the same length', fine, { path: '?key=secret-kez', settings: token }, unknownKey],
  ['with a longer key', fine, { path: '?key=secret-keyy', settings: token }, unknownKey],
  ['with a wrong key and too often', fine, { path: '?key=x', settings: token, state: full() }, unknownKey],
  ['the 20th in a minute', fine, { state: { times: calls(19) } }, accepted],
  ['the 21st, and not JSON', '', { state: full() }, tooOften],
  ['no JSON', '', {}, wrongType],
  ['a type that every object has', { msgtype: 'constructor' }, {}, wrongType],
  ['a GET', '', { method: 'GET' }, wrongType],
  ['the member of another type', { msgtype: 'markdown', text: { content: 'x' } }, {}, empty],
  ['empty content', text(''), {}, empty],
])('%s', (_case, message, options, want) => {
  expect(answerTo('wecom', message, options)).toBe(want);
});

test.each<[string, object, 'documented' | undefined, string]>([
  ['a long text', text('a'.repeat(5_121)), undefined, 'text.content exceed max length 5120'],
  ['as documented', text('a'.repeat(2_049)), 'documented', 'text.content exceed max length 2048'],
  [
    'a missing member',
    { msgtype: 'image', image: { md5: 'x' } },
    undefined,
    'missing field `body.image.base64`',
  ],
  ['what is wrong', { msgtype: 'news', news: { articles: [] } }, undefined, 'news.articles must be 1 to 8'],
])('%s is no valid parameter', (_case, message, wording, problem) => {
  const settings = wording ? { wording } : {};
  expect(answerTo('wecom', message, { settings })).toBe(`40058 ${problem}. invalid Request Parameter`);
});

test('a refusal has the same hint for the same call', () => {
  const bodies = [1, 1, 2].map((messageId) => answerAsRobot('wecom', callOf('', { messageId })).body);
  expect(JSON.parse(bodies[0] ?? '').errmsg).toMatch(
    /^invalid message type, hint: \[1767323045\d{15}\], from ip: 127\.0\.0\.1, more info at https:\/\/open\.work\.weixin\.qq\.com\/devtool\/query\?e=40008$/,
  );
  expect(bodies[1]).toBe(bodies[0]);
  expect(bodies[2]).not.toBe(bodies[0]);
});

test('refused calls do not prolong the rate limit', () => {
  const state = full();
  expect(answerTo('wecom', fine, { state, now: now + 59_999 })).toBe(tooOften);
  expect(answerTo('wecom', fine, { state, now: now + 60_000 })).toBe(accepted);
  expect(state).toEqual({ times: [now + 60_000] });
});
