import { expect, test } from 'vitest';
import { answerAsRobot } from './robot-answer.ts';
import { callOf, calls, now } from './testing.ts';

type CallOptions = Parameters<typeof callOf>[1];

/** The code, and the text before the hint. */
function answerTo(message: unknown, options?: CallOptions) {
  const { status, headers, body } = answerAsRobot('wecom', callOf(message, options));
  expect({ status, headers }).toEqual({ status: 200, headers: { 'content-type': 'application/json' } });
  const { errcode, errmsg } = JSON.parse(body);
  return `${errcode} ${errmsg.split(', hint:')[0]}`;
}

function text(content: unknown) {
  return { msgtype: 'text', text: { content } };
}

const fine = text('x');
const accepted = '0 ok';
const unknownKey = '93000 invalid webhook url';
const tooOften = '45009 api freq out of limit';
const wrongType = '40008 invalid message type';
const empty = '44004 empty content';

const token = { token: 'secret-key' };
const full = () => ({ times: calls(20) });

test.each<[string, unknown, CallOptions, string]>([
  ['without a key where any will do', fine, {}, accepted],
  ['with a key where any will do', fine, { path: '?key=x' }, accepted],
  ['with the right key', fine, { path: '/send?debug=1&key=secret-key', settings: token }, accepted],
  ['without the key', fine, { settings: token }, unknownKey],
  ['with a wrong key of the same length', fine, { path: '?key=secret-kez', settings: token }, unknownKey],
  ['with a longer key', fine, { path: '?key=secret-keyy', settings: token }, unknownKey],
  ['with a wrong key and too often', fine, { path: '?key=x', settings: token, state: full() }, unknownKey],
  ['the 20th in a minute', fine, { state: { times: calls(19) } }, accepted],
  ['the 21st in a minute', fine, { state: full() }, tooOften],
  ['the 21st, and not JSON', '', { state: full() }, tooOften],
  ['the 21st as the minute ends', fine, { state: full(), now: now + 60_000 }, accepted],
  ['an empty body', '', {}, wrongType],
  ['no JSON', '{"msgtype":"text"', {}, wrongType],
  ['no UTF-8', Buffer.from('{"msgtype":"text","text":{"content":"\xff"}}', 'latin1'), {}, wrongType],
  ['a list', [fine], {}, wrongType],
  ['no type', { text: { content: 'x' } }, {}, wrongType],
  ['Feishu’s name for the type', { msg_type: 'text', text: { content: 'x' } }, {}, wrongType],
  ['another product’s type', { msgtype: 'actionCard', actionCard: {} }, {}, wrongType],
  ['a type that every object has', { msgtype: 'constructor' }, {}, wrongType],
  ['a type in a list', { ...fine, msgtype: ['text'] }, {}, wrongType],
  ['a GET', '', { method: 'GET' }, wrongType],
  ['the member of another type', { msgtype: 'markdown', text: { content: 'x' } }, {}, empty],
  ['a member that is no object', { msgtype: 'text', text: 'x' }, {}, empty],
  ['an empty member', { msgtype: 'news', news: {} }, {}, empty],
  ['no content', { msgtype: 'text', text: { mentioned_list: ['@all'] } }, {}, empty],
  ['empty content', text(''), {}, empty],
  ['content that is no text', text(42), {}, empty],
])('%s', (_case, message, options, want) => {
  expect(answerTo(message, options)).toBe(want);
});

test.each<[string, number, 'documented' | 'observed' | undefined]>([
  ['text', 5120, undefined],
  ['text', 5120, 'observed'],
  ['text', 2048, 'documented'],
  ['markdown', 4096, undefined],
  ['markdown', 4096, 'documented'],
  ['markdown_v2', 4096, undefined],
])('%s of at most %i bytes (%s)', (msgtype, limit, wording) => {
  const settings = wording ? { wording } : {};
  const message = (content: string) => ({ msgtype, [msgtype]: { content } });
  expect(answerTo(message('a'.repeat(limit)), { settings })).toBe(accepted);
  // By characters it would be short enough.
  expect(answerTo(message(`${'a'.repeat(limit - 2)}栞`), { settings })).toBe(
    `40058 ${msgtype}.content exceed max length ${limit}. invalid Request Parameter`,
  );
});

const action = { type: 1, url: 'https://example.com' };
const card = { card_type: 'text_notice', main_title: { title: 't' }, card_action: action };
const rows = Array.from({ length: 7 }, () => ({ keyname: 'k' }));

// What is refused stands in the table of openapi/robots/testing: here is how it is worded.
test.each<[string, string, unknown, string]>([
  ['a member that is missing', 'image', { md5: 'x' }, 'missing field `body.image.base64`'],
  ['one within a list', 'news', { articles: [null] }, 'missing field `body.news.articles.title`'],
  ['a list that is too short', 'news', { articles: [] }, 'news.articles must be 1 to 8'],
  [
    'a list that is too long',
    'template_card',
    { ...card, horizontal_content_list: rows },
    'template_card.horizontal_content_list exceed max length 6',
  ],
  ['what is wrong', 'template_card', { ...card, card_type: 'x' }, 'template_card.card_type is invalid'],
])('%s (%s)', (_case, msgtype, content, problem) => {
  expect(answerTo({ msgtype, [msgtype]: content })).toBe(`40058 ${problem}. invalid Request Parameter`);
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
  const state = { times: calls(20) };
  expect(answerTo(fine, { state, now: now + 59_999 })).toBe(tooOften);
  expect(answerTo(fine, { state, now: now + 60_000 })).toBe(accepted);
  expect(state).toEqual({ times: [now + 60_000] });
});
