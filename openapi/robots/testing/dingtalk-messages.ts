import { accepted, type RobotMessage, refused } from './robot-message.ts';

const url = 'https://example.com';
const text = (content: unknown) => ({ msgtype: 'text', text: { content } });
const card = (parts: object) => ({
  msgtype: 'actionCard',
  actionCard: { title: 't', text: '正文', ...parts },
});
const button = { title: '同意', actionURL: `${url}/y` };
const link = { title: '一', messageURL: url, picURL: `${url}/a.png` };
const feed = (...links: unknown[]) => ({ msgtype: 'feedCard', feedCard: { links } });
const markdown = (parts: object) => ({ msgtype: 'markdown', markdown: parts });
const linked = (parts: object) => ({ msgtype: 'link', link: parts });
const room = 20_000 - Buffer.byteLength(JSON.stringify(text('')));

export const dingtalkMessages: readonly RobotMessage[] = [
  ...accepted('dingtalk', [
    ['a text with mentions', { ...text('@user1'), at: { atMobiles: ['13800000000'], atUserIds: ['user1'] } }],
    ['markdown', { ...markdown({ title: '发布失败', text: `> [详情](${url})\n` }), at: { isAtAll: false } }],
    ['a link without a picture', linked({ title: '标题', text: '正文', picUrl: '', messageUrl: url })],
    ['a card with one button', card({ btnOrientation: '0', singleTitle: '阅读全文', singleURL: url })],
    ['a card with two', card({ btns: [button, { title: '拒绝', actionURL: `${url}/n` }] })],
    ['a feed', feed(link)],
    ['a charset', text('x'), { contentType: 'application/json; charset=utf-8' }],
    ['a Content-Type in capitals', text('x'), { contentType: 'Application/JSON;charset=UTF-8' }],
    ['text/json', text('x'), { contentType: 'text/json' }],
    ['the longest message', text('a'.repeat(room))],
    ['buttons, and half of a single one', card({ singleTitle: 's', btns: [button] })],
  ]),
  ...refused('dingtalk', [
    ['text/plain', text('x'), /Content-Type must be JSON, not text\/plain/, { contentType: 'text/plain' }],
    ['no Content-Type', text('x'), /Content-Type must be JSON, not \(none\)/, { contentType: null }],
    ['jsonp', text('x'), /must be JSON/, { contentType: 'application/jsonp' }],
    ['a GET', text('x'), /accepts POST only, not GET/, { method: 'GET' }],
    ['no JSON', '{"msgtype":"text","text":{"content":"\\D"}}', /JSON object in UTF-8/],
    ['half a character', Buffer.from('{"msgtype":"\xff"}', 'latin1'), /UTF-8/],
    ['a message of 20001 bytes', text('a'.repeat(room + 1)), /20000 bytes of UTF-8 at most, not 20001/],
    ['20000 characters of more bytes', text(`${'a'.repeat(room - 1)}海`), /20000 bytes/],
    ['the body of section 6.3', { event: 'content.publish', data: {} }, /^msgtype must be one of text, link/],
    ['the type where Feishu has it', { msg_type: 'text', text: { content: 'x' } }, /^msgtype must be/],
    ['an empty text', text(''), /^text\.content is missing/],
    ['markdown without a title', markdown({ text: 'x' }), /^markdown\.title is missing/],
    ['markdown without a text', markdown({ title: 't' }), /^markdown\.text is missing/],
    ['a link under another name', linked({ title: 't', text: 'x', messageURL: url }), /^link\.messageUrl is/],
    ['a link without a title', linked({ text: 'x', messageUrl: url }), /^link\.title is/],
    ['a link without a text', linked({ title: 't', messageUrl: url }), /^link\.text is/],
    ['a card without a title', card({ title: '', btns: [button] }), /^actionCard\.title is missing/],
    ['a card without a text', card({ text: '', btns: [button] }), /^actionCard\.text is missing/],
    ['a button without a title', card({ btns: [{ actionURL: url }] }), /^actionCard\.btns\.title/],
    ['a feed of nothing', feed(null), /^feedCard\.links\.title/],
    ['a feed that leads nowhere', feed({ ...link, messageURL: '' }), /^feedCard\.links\.messageURL/],
    ['a card without buttons', card({}), /^actionCard\.btns is missing/],
    ['a card with an empty list of buttons', card({ btns: [] }), /^actionCard\.btns is missing/],
    ['a single button without its address', card({ singleTitle: 's' }), /^actionCard\.singleURL is missing/],
    ['a button without its address', card({ btns: [button, { title: 't' }] }), /^actionCard\.btns\.action/],
    ['an empty feed', feed(), /^feedCard\.links is missing/],
    ['a feed without a picture', feed({ ...link, picURL: undefined }), /^feedCard\.links\.picURL is missing/],
  ]),
];
