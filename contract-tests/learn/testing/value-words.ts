// What the values of the deployment's own operations are: their types, and what people say of them.
import type { ApiValue } from './api-model.ts';

interface KnownValue extends Pick<ApiValue, 'type' | 'format' | 'values' | 'example' | 'isNullable'> {
  en: string;
  zh: string;
  /** The names that need no explanation; others are always described. */
  telling: RegExp;
  items?: ApiValue;
}

const events = [
  ...['content.publish', 'content.update', 'content.delete', 'form.submit', 'comment.created'],
  ...['publish.complete', 'publish.failed'],
];
const time = { type: 'string', format: 'date-time', example: '2026-01-02T03:04:05+08:00' } as const;
const whole = { type: 'integer', example: 1 } as const;
const text = { type: 'string' } as const;

const known: Readonly<Record<string, KnownValue>> = {
  username: { ...text, en: 'User name', zh: '用户名', telling: /user|account|login/i, example: 'mei' },
  password: { ...text, en: 'Password', zh: '密码', telling: /pass|pwd/i, example: 'secret' },
  token: { ...text, en: 'Session token, to be sent as Bearer', zh: '会话令牌', telling: /token|jwt|bearer/i },
  expires_in: {
    ...whole,
    en: 'Seconds until the token expires',
    zh: '令牌剩余有效期（秒）',
    telling: /expire|ttl/i,
    example: 7200,
  },
  siteID: {
    ...whole,
    en: 'ID of the site',
    zh: '站点ID',
    telling: /site|project|zhandian|站点/i,
    example: 101,
  },
  contentID: {
    ...whole,
    en: 'ID of the content',
    zh: '内容ID',
    telling: /content|entry|article|post|neirong|内容/i,
    example: 7,
  },
  subscriptionID: {
    ...whole,
    en: 'ID of the webhook subscription',
    zh: 'Webhook订阅ID',
    telling: /subscription|hook/i,
    example: 42,
  },
  keyID: { ...whole, en: 'ID of the API key', zh: 'API密钥ID', telling: /key|credential|miyao/i, example: 5 },
  id: {
    ...whole,
    en: 'Identifier',
    zh: 'ID',
    telling: /(^|[^a-z])(id|uid|identifier)$|[a-z](Id|ID)$|编号/,
    example: 12,
  },
  name: {
    ...text,
    en: 'Name',
    zh: '名称',
    telling: /name|title|label|mingcheng|名称/i,
    example: 'Harbour Café',
  },
  version: {
    ...whole,
    en: 'Number of the published version',
    zh: '发布版本号',
    telling: /version|revision|release|banben|版本/i,
    example: 8,
  },
  note: {
    ...text,
    en: 'Note on this publish',
    zh: '发布备注',
    telling: /note|remark|comment|message|备注/i,
    example: 'spring menu',
  },
  source: {
    ...text,
    format: 'uri',
    en: 'URL of the site to import',
    zh: '要导入的网站地址',
    telling: /source|url|origin|来源/i,
    example: 'https://old.example.com',
  },
  prompt: {
    ...text,
    en: 'What the AI is asked',
    zh: '提示词',
    telling: /prompt|question|input|提示/i,
    example: 'Write a slogan',
  },
  text: { ...text, en: 'Text', zh: '正文', telling: /text|body|content|answer|正文/i, example: 'Hello' },
  key: {
    ...text,
    en: 'The API key in plain text, shown only once',
    zh: 'API密钥明文，仅显示一次',
    telling: /key|secret|plain/i,
    example: 'sp_…',
  },
  created_at: { ...time, en: 'Time of creation', zh: '创建时间', telling: /creat|since|创建/i },
  updated_at: { ...time, en: 'Time of the last change', zh: '更新时间', telling: /updat|modif|chang|更新/i },
  at: { ...time, en: 'When it came in', zh: '提交时间', telling: /(^|_)at$|time|creat|submitted|date/i },
  title: {
    ...text,
    en: 'Title',
    zh: '标题',
    telling: /title|headline|subject|biaoti|标题/i,
    example: 'Spring menu',
  },
  state: { ...text, en: 'State', zh: '状态', telling: /state|status|outcome|状态/i, example: 'published' },
  pages: { ...whole, en: 'Number of pages published', zh: '已发布页面数', telling: /page/i, example: 12 },
  form: { ...text, en: 'Name of the form', zh: '表单名称', telling: /form|表单/i, example: 'booking' },
  fields: {
    type: 'object',
    en: 'What was filled in, by field',
    zh: '表单字段及其值',
    telling: /field|value|answer|data|字段/i,
    example: { guests: 4 },
  },
  author: {
    ...text,
    en: 'Name of the author',
    zh: '评论者昵称',
    telling: /author|nick|user|name|作者/i,
    example: 'Lin',
  },
  url: {
    ...text,
    format: 'uri',
    en: 'Receiving URL',
    zh: '接收推送的地址',
    telling: /url|endpoint|address|target|地址/i,
    example: 'https://hooks.example.com/in',
  },
  events: {
    type: 'array',
    ...{ en: 'Events that are pushed', zh: '订阅的事件', telling: /event|topic|事件/i },
    items: { type: 'string', values: events },
  },
  channel: {
    ...{ type: 'string', values: ['custom', 'wecom', 'dingtalk', 'feishu'], example: 'custom' },
    ...{
      en: 'Channel: custom, wecom, dingtalk or feishu',
      zh: '推送渠道',
      telling: /channel|kind|type|渠道/i,
    },
  },
  secret: {
    ...text,
    en: 'Secret that pushes are signed with',
    zh: '签名密钥',
    telling: /secret|key|sign|密钥/i,
    example: 's3cr3t',
  },
  event: {
    ...text,
    en: 'Event of the push',
    zh: '事件',
    telling: /event|topic|事件/i,
    example: 'publish.complete',
  },
  delivered: {
    type: 'boolean',
    en: 'Whether the test message was delivered',
    zh: '测试消息是否送达',
    telling: /deliver|sent|ok|success|送达/i,
    example: true,
  },
  next_attempt_at: {
    ...time,
    isNullable: true,
    en: 'Time of the next attempt',
    zh: '下次重试时间',
    telling: /next|retry|重试/i,
  },
  attempts: {
    type: 'array',
    ...{ en: 'Attempts made', zh: '推送尝试记录', telling: /attempt|tries|history|尝试/i },
    items: {
      ...{ type: 'object', model: 'DeliveryAttempt' },
      properties: [
        { name: 'at', value: time, isRequired: true },
        { name: 'status', value: { type: 'integer', example: 500, isNullable: true }, isRequired: false },
      ],
    },
  },
  total: { ...whole, en: 'Number of all items', zh: '总数', telling: /total|count|总数/i, example: 1 },
  next: {
    ...text,
    isNullable: true,
    en: 'Cursor of the next page',
    zh: '下一页游标',
    telling: /next|after|cursor|下一页/i,
  },
  page: { ...whole, en: 'Page number', zh: '页码', telling: /page|current|页码/i },
  page_size: { ...whole, en: 'Items per page', zh: '每页条数', telling: /size|limit|per|每页/i, example: 20 },
  offset: {
    ...whole,
    en: 'Number of items to skip',
    zh: '跳过的条数',
    telling: /offset|skip|start|from/i,
    example: 0,
  },
  limit: {
    ...whole,
    en: 'Greatest number of items',
    zh: '返回条数',
    telling: /limit|size|take|count/i,
    example: 20,
  },
  cursor: {
    ...text,
    en: 'Cursor that the previous page ended with',
    zh: '游标',
    telling: /cursor|after|page.?token/i,
  },
};

/** A value by what it is in a profile ("siteID", "version"), as it stands at a place; `noun` is what an "id" or a "name" belongs to. */
export function knownValue(role: string, place: readonly string[], noun = ''): ApiValue {
  const found = known[role];
  if (!found) return { type: 'string', words: { en: role, zh: role }, needsWords: true };
  const { en, zh, telling, ...value } = found;
  const of = ['id', 'name', 'state'].includes(role) && noun !== '' ? ` of the ${noun}` : '';
  const zhOf = ['id', 'name', 'state'].includes(role) ? (nouns[noun] ?? '') : '';
  const names = place.filter((segment) => !/^\d+$/.test(segment)).join('.');
  return { ...value, words: { en: `${en}${of}`, zh: `${zhOf}${zh}` }, needsWords: !telling.test(names) };
}

/** Whether a name would be taken for a value of this role. */
export function isTelling(role: string, name: string): boolean {
  return known[role]?.telling.test(name) ?? false;
}

const nouns: Readonly<Record<string, string>> = {
  site: '站点',
  content: '内容',
  entry: '内容',
  article: '文章',
  webhook: 'Webhook',
  'api key': 'API密钥',
  comment: '评论',
  submission: '表单提交',
  delivery: '推送记录',
  publish: '发布',
};
