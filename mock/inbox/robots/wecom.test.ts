import { hash } from 'node:crypto';
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
  [
    'with the right key',
    fine,
    { path: '/cgi-bin/webhook/send?debug=1&key=secret-key', settings: token },
    accepted,
  ],
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

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const largest = Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024 - png.length)]);
const tooLarge = Buffer.concat([largest, Buffer.from('x')]);

function image(bytes: Buffer, md5 = hash('md5', bytes)) {
  return { base64: bytes.toString('base64'), md5 };
}

const article = { title: 't', url: 'https://example.com' };
const articles = (count: number) => ({ articles: Array.from({ length: count }, () => article) });

const action = { type: 1, url: 'https://example.com' };
const card = { card_type: 'text_notice', main_title: { title: 't' }, card_action: action };
const row = (entry: object) => ({ ...card, horizontal_content_list: [{ keyname: 'k', ...entry }] });
const jump = (entry: object) => ({ ...card, jump_list: [{ title: 't', ...entry }] });
const many = (count: number) => Array.from({ length: count }, () => ({ keyname: 'k' }));

test.each<[string, string, unknown, string | undefined]>([
  ['a PNG', 'image', image(png), undefined],
  ['a JPG', 'image', image(Buffer.from('ffd8ffe0', 'hex')), undefined],
  ['the hex in capitals', 'image', image(png, hash('md5', png).toUpperCase()), undefined],
  ['the largest', 'image', image(largest), undefined],
  ['too large', 'image', image(tooLarge), 'image.base64 exceed max length 2097152'],
  ['a GIF', 'image', image(Buffer.from('GIF89a')), 'image is neither JPG nor PNG'],
  ['no digest', 'image', { base64: 'iVBORw==' }, 'missing field `body.image.md5`'],
  ['no bytes', 'image', { md5: 'x' }, 'missing field `body.image.base64`'],
  ['another digest', 'image', image(png, hash('md5', 'x')), 'image.md5 does not match'],
  [
    'the digest of the base64',
    'image',
    image(png, hash('md5', png.toString('base64'))),
    'image.md5 does not match',
  ],
  ['no base64', 'image', { base64: 'a*c=', md5: 'x' }, 'image.base64 is not base64'],
  ['base64 with too much of an end', 'image', { base64: 'iVBOR===', md5: 'x' }, 'image.base64 is not base64'],
  ['base64 without its end', 'image', { base64: 'iVBORw', md5: 'x' }, 'image.base64 is not base64'],
  ['one article', 'news', articles(1), undefined],
  ['eight', 'news', articles(8), undefined],
  ['nine', 'news', articles(9), 'news.articles must be 1 to 8'],
  ['none', 'news', articles(0), 'news.articles must be 1 to 8'],
  ['no list', 'news', { articles: article }, 'missing field `body.news.articles`'],
  ['titles that will be cut', 'news', { articles: [{ ...article, title: '栞'.repeat(500) }] }, undefined],
  ['no title', 'news', { articles: [article, { url: 'x' }] }, 'missing field `body.news.articles.title`'],
  ['no link', 'news', { articles: [{ title: 'x' }] }, 'missing field `body.news.articles.url`'],
  ['an article that is none', 'news', { articles: [null] }, 'missing field `body.news.articles.title`'],
  ['a file', 'file', { media_id: 'm' }, undefined],
  ['no file', 'file', { media_id: '' }, 'missing field `body.file.media_id`'],
  ['a voice', 'voice', { media_id: 'm' }, undefined],
  ['no voice', 'voice', { id: 'm' }, 'missing field `body.voice.media_id`'],
  ['a card', 'template_card', card, undefined],
  ['of an unknown type', 'template_card', { ...card, card_type: 'x' }, 'template_card.card_type is invalid'],
  ['a subtitle alone', 'template_card', { ...card, main_title: {}, sub_title_text: 'x' }, undefined],
  [
    'no title',
    'template_card',
    { ...card, main_title: { desc: 'x' } },
    'template_card has neither main_title.title nor sub_title_text',
  ],
  [
    'no action',
    'template_card',
    { ...card, card_action: undefined },
    'missing field `body.template_card.card_action`',
  ],
  [
    'news, no action',
    'template_card',
    { ...card, card_type: 'news_notice', card_action: undefined },
    undefined,
  ],
  ['an app', 'template_card', { ...card, card_action: { type: 2, appid: 'a' } }, undefined],
  ['no app', 'template_card', { ...card, card_action: { type: 2 } }, 'template_card.card_action is invalid'],
  ['no URL', 'template_card', { ...card, card_action: { type: 1 } }, 'template_card.card_action is invalid'],
  [
    'an action of type 0',
    'template_card',
    { ...card, card_action: { type: 0 } },
    'template_card.card_action is invalid',
  ],
  [
    'news, a wrong action',
    'template_card',
    { ...card, card_type: 'news_notice', card_action: {} },
    'template_card.card_action is invalid',
  ],
  ['six rows', 'template_card', { ...card, horizontal_content_list: many(6) }, undefined],
  [
    'seven rows',
    'template_card',
    { ...card, horizontal_content_list: many(7) },
    'template_card.horizontal_content_list exceed max length 6',
  ],
  ['a row that leads nowhere', 'template_card', row({ type: 0 }), undefined],
  ['a row with a link', 'template_card', row({ type: 1, url: 'x' }), undefined],
  [
    'a row without its link',
    'template_card',
    row({ type: 1 }),
    'template_card.horizontal_content_list is invalid',
  ],
  ['a row with a file', 'template_card', row({ type: 2, media_id: 'm' }), undefined],
  [
    'a row without its file',
    'template_card',
    row({ type: 2, appid: 'a' }),
    'template_card.horizontal_content_list is invalid',
  ],
  ['a row with a person', 'template_card', row({ type: 3, userid: 'u' }), undefined],
  [
    'a row without its person',
    'template_card',
    row({ type: 3 }),
    'template_card.horizontal_content_list is invalid',
  ],
  ['a row of type 4', 'template_card', row({ type: 4 }), 'template_card.horizontal_content_list is invalid'],
  [
    'rows that are no list',
    'template_card',
    { ...card, horizontal_content_list: {} },
    'template_card.horizontal_content_list is invalid',
  ],
  [
    'a row that is none',
    'template_card',
    { ...card, horizontal_content_list: ['x'] },
    'template_card.horizontal_content_list is invalid',
  ],
  ['three jumps', 'template_card', { ...card, jump_list: many(3) }, undefined],
  [
    'four jumps',
    'template_card',
    { ...card, jump_list: many(4) },
    'template_card.jump_list exceed max length 3',
  ],
  ['a jump to an app', 'template_card', jump({ type: 2, appid: 'a' }), undefined],
  [
    'a jump to no app',
    'template_card',
    jump({ type: 2, media_id: 'm' }),
    'template_card.jump_list is invalid',
  ],
  [
    'a jump to a person',
    'template_card',
    jump({ type: 3, userid: 'u' }),
    'template_card.jump_list is invalid',
  ],
])('%s (%s)', (_case, msgtype, content, problem) => {
  expect(answerTo({ msgtype, [msgtype]: content })).toBe(
    problem === undefined ? accepted : `40058 ${problem}. invalid Request Parameter`,
  );
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
