import { expect, test } from 'vitest';
import { profileWith } from '../testing/open-mock.ts';
import { robotMessage } from '../webhooks/robot-message.ts';
import { readChatMessage } from './page/read-chat-message.ts';

const content = { title: 'Published', lines: ['site: 101', 'pages: 12'] };

test.each([
  ['wecom', 'text'],
  ['wecom', 'markdown'],
  ['wecom', 'markdown_v2'],
  ['dingtalk', 'text'],
  ['dingtalk', 'markdown'],
  ['feishu', 'text'],
  ['feishu', 'post'],
  ['feishu', 'interactive'],
] as const)('reads the message of %s as %s', (robot, type) => {
  const profile = profileWith({ [`channel.${robot}`]: type });
  const shown = readChatMessage(robotMessage(robot, content, { profile }));
  expect(`${shown?.title ?? ''}\n${shown?.text}`).toMatch(/Published[\s\S]*site: 101[\s\S]*pages: 12/);
});

test.each([
  '',
  'text',
  'null',
  '3',
  '{}',
  '{"text": 3}',
  '{"content": {"post": {"a": null}}}',
  '{"card": {"elements": 3}}',
  '{"content": {"post": {"a": {"content": 3}}}}',
])('is not confused by %s', (body) => {
  expect(readChatMessage(body)).toBeUndefined();
});
