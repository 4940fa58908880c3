// Fields that are written down by their names alone: "email role? created_at".
import type { ApiProperty, ApiValue } from './api-model.ts';
import { camel, snake } from './naming.ts';

export type Spelling = 'camel' | 'snake';

/** The fields of a list of names; "?" marks optional ones, ":a|b" the values, "[]" a list of texts. Types are those that the names suggest. */
export function fieldsOf(list: string, spelling: Spelling): ApiProperty[] {
  return list
    .split(' ')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [head = '', values] = entry.replace('?', '').split(':');
      const name = head.replace('[]', '');
      return {
        name: spell(name, spelling),
        value: typed(name, values?.split('|'), head.includes('[]')),
        isRequired: !entry.includes('?'),
      };
    });
}

export function spell(name: string, spelling: Spelling): string {
  return spelling === 'camel' ? camel(name) : snake(name);
}

function typed(name: string, values: readonly string[] | undefined, isList: boolean): ApiValue {
  const words = { en: sentence(name), zh: chinese[name] ?? '' };
  if (isList) return { type: 'array', words, items: { type: 'string', ...(values && { values }) } };
  if (values) return { type: 'string', words, values };
  const [, shape = { type: 'string' }] = shapes.find(([pattern]) => pattern.test(name)) ?? [];
  return { ...shape, words };
}

const shapes: readonly (readonly [RegExp, ApiValue])[] = [
  [/_id$|^id$|^version$|_version$/, { type: 'integer', example: 3 }],
  [/(^|_)ids$/, { type: 'array', items: { type: 'integer' } }],
  [/_at$|_on$/, { type: 'string', format: 'date-time', example: '2026-01-02T03:04:05+08:00' }],
  [
    /(count|size|total|limit|used|remaining|order|tokens|views|visitors|seconds|port|amount|ttl|page)$/,
    { type: 'integer', example: 20 },
  ],
  [/^(is|has|enabled|verified|read|active)/, { type: 'boolean', example: true }],
  [/url$|^uri$/, { type: 'string', format: 'uri', example: 'https://cdn.example.com/a.png' }],
  [/^(settings|config|payload|filters|headers|schema|metadata|preferences)$/, { type: 'object' }],
  [/^email$/, { type: 'string', format: 'email', example: 'mei@example.com' }],
  [/^file$/, { type: 'string', format: 'binary' }],
];

function sentence(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const chinese: Readonly<Record<string, string>> = {
  id: '主键ID',
  tenant_id: '租户ID',
  user_id: '用户ID',
  owner_id: '负责人ID',
  template_id: '模板ID',
  theme_id: '主题ID',
  task_id: '任务ID',
  created_at: '创建时间',
  updated_at: '更新时间',
  published_at: '发布时间',
  expires_at: '过期时间',
  last_used_at: '最后使用时间',
  name: '名称',
  email: '邮箱',
  phone: '手机号',
  role: '角色',
  status: '状态',
  domain: '域名',
  description: '描述',
  remark: '备注',
  url: '链接地址',
  file: '文件',
  password: '密码',
  old_password: '原密码',
  new_password: '新密码',
  keyword: '搜索关键字',
  sort: '排序',
  count: '数量',
  size: '大小',
  type: '类型',
  title: '标题',
  slug: '路径标识',
  enabled: '是否启用',
  reason: '原因',
  ids: 'ID列表',
  token_type: '令牌类型',
  refresh_token: '刷新令牌',
  avatar_url: '头像地址',
  language: '语言',
  model: '模型',
  cover_url: '封面图',
  category_id: '分类ID',
};
