import { accepted, type RobotMessage, refused } from './robot-message.ts';

const url = 'https://example.com';
const text = (content: unknown) => ({ msg_type: 'text', content: { text: content } });
const typed = (type: string, content: unknown) => ({ msg_type: type, content });
const posts = (languages: object) => typed('post', { post: languages });
const post = (...nodes: unknown[]) => posts({ zh_cn: { title: '更新通知', content: [nodes] } });
const card = (parts: unknown) => ({ msg_type: 'interactive', card: parts });
const element = { tag: 'markdown', content: '**发布完成**' };
const header = { title: { tag: 'plain_text', content: '示例站点' }, template: 'red' };
const room = 20 * 1_024 - Buffer.byteLength(JSON.stringify(text('')));

const button = {
  tag: 'button',
  text: { tag: 'plain_text', content: '详情' },
  url,
  type: 'default',
  value: {},
};

export const feishuMessages: readonly RobotMessage[] = [
  ...accepted('feishu', [
    ['a text with a mention', text('<at user_id="all">所有人</at> 示例站点 content.update')],
    [
      'a post with every kind of node',
      post(
        { tag: 'text', text: '已更新: ' },
        { tag: 'a', text: '查看', href: url },
        { tag: 'at', user_id: 'all' },
        { tag: 'img', image_key: 'img_x' },
      ),
    ],
    ['an image', typed('image', { image_key: 'img_x' })],
    ['a group', typed('share_chat', { share_chat_id: 'oc_x' })],
    ['a card of the older form', card({ elements: [element, { tag: 'action', actions: [button] }], header })],
    ['a card of schema 2.0', card({ schema: '2.0', body: { elements: [element] }, header })],
    [
      'a signed text',
      { ...text('x'), timestamp: '1700000000', sign: 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8=' },
    ],
    ['text/plain', text('x'), { contentType: 'text/plain' }],
    ['no Content-Type', text('x'), { contentType: null }],
    ['the longest message', text('a'.repeat(room))],
    ['a post in English', posts({ en_us: { content: [[]] } })],
    ['an empty text in a post', post({ tag: 'text', text: '', un_escape: true })],
    ['a card by a template', card({ type: 'template', data: { template_id: 'AAq' } })],
    ['a card in two languages', card({ i18n_elements: { zh_cn: [element], en_us: [element] } })],
    ['a card with only a title', card({ header, elements: [] })],
  ]),
  ...refused('feishu', [
    ['a PUT', text('x'), /accepts POST only, not PUT/, { method: 'PUT' }],
    ['no JSON', '{"msg_type":', /JSON object in UTF-8/],
    ['half a character', Buffer.from('{"msg_type":"\xff"}', 'latin1'), /UTF-8/],
    ['a message of 20481 bytes', text('a'.repeat(room + 1)), /20480 bytes of UTF-8 at most, not 20481/],
    ['the body of section 6.3', { event: 'content.publish', data: {} }, /^msg_type must be one of text/],
    ['the type where WeCom has it', { msgtype: 'text', text: { content: 'x' } }, /^msg_type must be/],
    ['an empty text', text(''), /^content\.text is missing/],
    ['a content that is JSON in a text', typed('text', '{"text":"x"}'), /^content\.text is/],
    ['a post only in Japanese', posts({ ja_jp: { content: [[]] } }), /zh_cn or en_us is missing/],
    ['a post without lines', posts({ zh_cn: { title: 't', content: [] } }), /zh_cn\.content is missing/],
    ['one wrong language of two', posts({ zh_cn: { content: [[]] }, en_us: {} }), /en_us\.content is/],
    ['lines that are no lists', posts({ zh_cn: { content: [{ tag: 'at' }] } }), /content\[0\] must be/],
    ['a text node without its text', post({ tag: 'text' }), /content\[0\] must be/],
    ['an unknown node', post({ tag: 'video' }), /content\[0\] must be/],
    ['no group', typed('share_chat', {}), /^content\.share_chat_id is missing/],
    ['a link without href', post({ tag: 'a', text: 'x' }), /must be a list of text, a, at and img/],
    ['nobody mentioned', post({ tag: 'at' }), /content\[0\] must be/],
    ['an image without its key', post({ tag: 'img' }), /content\[0\] must be/],
    ['styled text', post({ tag: 'text', text: 'x', style: ['bold'] }), /content\[0\] must be/],
    ['a node that is not an object', post(null), /content\[0\] must be/],
    ['an image that has no key', typed('image', { key: 'x' }), /^content\.image_key is missing/],
    ['a card with nothing to show', card({ header: {}, elements: [] }), /^card\.elements is missing/],
    ['a card that is JSON in a text', card(JSON.stringify({ elements: [element] })), /^card must be an obj/],
    ['an element without a tag', card({ elements: [element, {}] }), /^card\.elements must be a list of obj/],
    ['schema 2.0 in the older form', card({ schema: '2.0', elements: [element], header }), /in card\.body/],
    ['an empty card of schema 2.0', card({ schema: '2.0', body: {} }), /^card\.body\.elements is missing/],
    ['a template without its id', card({ type: 'template', data: {} }), /^card\.data\.template_id is/],
  ]),
];
