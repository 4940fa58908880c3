import { expect, test } from 'vitest';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { messageType, type Robot, robotComplaint } from './robot-rules.ts';

const post = { post: { zh_cn: { title: '更新', content: [[{ tag: 'text', text: '已更新' }]] } } };

test.for<[Robot, object]>([
  ['wecom', { msgtype: 'text', text: { content: '发布完成', mentioned_list: ['@all'] } }],
  ['wecom', { msgtype: 'text', text: { content: 'a'.repeat(5120) } }],
  ['wecom', { msgtype: 'markdown', markdown: { content: '海'.repeat(1365) } }],
  ['wecom', { msgtype: 'markdown_v2', markdown_v2: { content: '# 标题' } }],
  ['wecom', { msgtype: 'news', news: { articles: [{ title: '标题', url: 'https://example.com' }] } }],
  ['dingtalk', { msgtype: 'text', text: { content: 'x' }, at: { isAtAll: false } }],
  ['dingtalk', { msgtype: 'markdown', markdown: { title: '发布', text: '#### 发布' } }],
  [
    'dingtalk',
    {
      msgtype: 'actionCard',
      actionCard: { title: 't', text: 'x', singleTitle: 'a', singleURL: 'https://x' },
    },
  ],
  ['feishu', { msg_type: 'text', content: { text: 'x' } }],
  ['feishu', { msg_type: 'post', content: post }],
  ['feishu', { msg_type: 'interactive', card: { elements: [] }, timestamp: '1', sign: 'x' }],
])('%s accepts %j', ([robot, message]) => {
  expect(robotComplaint(robot, push(JSON.stringify(message)))).toBeUndefined();
});

test.for<[Robot, unknown, RegExp]>([
  ['wecom', { msg_type: 'text', text: { content: 'x' } }, /required property 'msgtype'/],
  ['wecom', { msgtype: 'post', post: {} }, /msgtype must be equal to one of/],
  ['wecom', { msgtype: 'text', text: { content: '' } }, /content must NOT have fewer than 1/],
  ['wecom', { msgtype: 'markdown', text: { content: 'x' } }, /required property 'markdown'/],
  ['wecom', { msgtype: 'markdown', markdown: { content: '海'.repeat(1366) } }, /at most 4096 bytes/],
  ['wecom', { msgtype: 'text', text: { content: 'a'.repeat(5121) } }, /at most 5120 bytes/],
  ['wecom', { msgtype: 'news', news: { articles: [{ title: 't' }] } }, /required property 'url'/],
  [
    'dingtalk',
    { msgtype: 'actionCard', actionCard: { text: 'x', singleTitle: 'a', singleURL: 'https://x' } },
    /required property 'title'/,
  ],
  [
    'dingtalk',
    { msgtype: 'actionCard', actionCard: { title: 't', text: 'x', btns: [{ title: 'a' }] } },
    /^\/actionCard.* required property/,
  ],
  ['dingtalk', { msgtype: 'markdown', markdown: { text: 'x' } }, /required property 'title'/],
  ['dingtalk', { msgtype: 'interactive', card: {} }, /msgtype must be equal/],
  ['dingtalk', { msgtype: 'text', text: { content: '海'.repeat(7000) } }, /20000 bytes at most/],
  ['feishu', { msgtype: 'text', text: { content: 'x' } }, /required property 'msg_type'/],
  ['feishu', { msg_type: 'interactive', content: {} }, /required property 'card'/],
  ['feishu', { msg_type: 'text', content: { text: 'a'.repeat(20_480) } }, /20480 bytes at most/],
  ['feishu', { msg_type: 'post', content: { post: {} } }, /must NOT have fewer than 1 properties/],
  [
    'feishu',
    {
      msg_type: 'post',
      content: { post: { zh_cn: { content: [[{ tag: 'text', text: 'x', style: ['bold'] }]] } } },
    },
    /must NOT have additional properties/,
  ],
  ['feishu', ['x'], /must be object/],
])('%s refuses %j', ([robot, message, want]) => {
  expect(robotComplaint(robot, push(JSON.stringify(message)))).toMatch(want);
});

test.for<[string, Partial<Push>, RegExp]>([
  ['a GET', { method: 'GET' }, /accepts POST only/],
  [
    'a form',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    /Content-Type must be JSON/,
  ],
  [
    'half a character',
    { body: Buffer.from('{"msgtype":"text","text":{"content":"\xe6\xb5"}}', 'latin1') },
    /UTF-8/,
  ],
  ['no JSON', { body: Buffer.from('msgtype=text') }, /JSON in UTF-8/],
])('no robot accepts %s', ([, different, want]) => {
  const plain = push(JSON.stringify({ msgtype: 'text', text: { content: 'x' } }));
  expect(robotComplaint('dingtalk', { ...plain, ...different })).toMatch(want);
});

test('the type of a message is read from msgtype or msg_type', () => {
  expect(messageType(push('{"msgtype":"text"}'))).toBe('text');
  expect(messageType(push('{"msg_type":"post"}'))).toBe('post');
});

function push(text: string): Push {
  return {
    method: 'POST',
    path: '/1',
    search: '',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(text),
    at: 0,
    arrived: { from: 0, to: 0 },
    order: 0,
  };
}
