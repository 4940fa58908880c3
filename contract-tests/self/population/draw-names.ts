// Draws field names in various styles.
import type { Random } from '../../../openapi/testing/random-profile.ts';

export type Style = (typeof styles)[number];

export const styles = ['camel', 'snake', 'pascal', 'kebab', 'shouting', 'chinese', 'odd', 'mixed'] as const;

/** Names by content; the first one is Chinese. */
const words: Readonly<Record<string, readonly [string, ...string[]]>> = {
  url: ['回调地址', 'callback url', 'target url', 'endpoint', 'receiver address', 'hook uri'],
  events: ['事件', 'events', 'event types', 'topics', 'subscribed to'],
  channel: ['渠道', 'channel', 'message format', 'type', 'kind of target'],
  secret: ['签名密钥', 'secret', 'signing key', 'hmac secret', 'shared secret'],
  token: ['令牌', 'access token', 'token', 'bearer', 'session token', 'jwt'],
  expires_in: ['有效期', 'expires in', 'ttl', 'lifetime', 'valid seconds'],
  id: ['编号', 'id', 'identifier', 'uid', 'number', 'key id'],
  name: ['名称', 'name', 'display name', 'title', 'label'],
  version: ['版本', 'version', 'version no', 'revision', 'release'],
  text: ['正文', 'text', 'content', 'body', 'answer'],
  key: ['密文', 'key', 'api key', 'plain text', 'value'],
  created_at: ['创建时间', 'created at', 'create time', 'since'],
  next_attempt_at: ['下次重试', 'next attempt at', 'retry time'],
  attempts: ['尝试', 'attempts', 'tries', 'history'],
  event: ['事件名', 'event', 'event name', 'topic'],
  state: ['状态', 'state', 'status', 'outcome'],
  delivered: ['已送达', 'delivered', 'ok', 'is sent'],
  siteID: ['站点', 'site id', 'site', 'project'],
  contentID: ['内容', 'content id', 'article', 'post'],
  subscriptionID: ['订阅', 'subscription id', 'webhook id', 'hook'],
  keyID: ['密钥编号', 'key id', 'credential'],
  note: ['备注', 'note', 'remark', 'commit message'],
  source: ['来源', 'source', 'source url', 'import from'],
  prompt: ['提示词', 'prompt', 'question', 'input'],
  title: ['标题', 'title', 'headline', 'subject'],
  form: ['表单', 'form', 'form name', 'form key'],
  fields: ['字段', 'fields', 'values', 'answers'],
  author: ['作者', 'author', 'user', 'nick name'],
  message: ['消息', 'message', 'reason', 'detail'],
  page: ['页码', 'page', 'page no', 'current'],
  page_size: ['每页', 'page size', 'limit', 'per page'],
  offset: ['跳过', 'offset', 'skip', 'start'],
  limit: ['条数', 'limit', 'count', 'take'],
  cursor: ['游标', 'cursor', 'after', 'page token'],
  next: ['下一页', 'next', 'next cursor', 'next page token'],
  group: ['数据', 'result', 'payload', 'item', 'attributes', 'session', 'info', 'meta data', 'record'],
  constant: ['固定', 'kind', 'mode', 'client', 'schema version'],
};

/** Legal names that code easily mishandles. */
const odd = [
  ...['a/b', 'm~n', '~1', '/', 'x y', ' ', 'a.b', '$ref', '@type', '#', 'a"b', "it's", '%2F', 'é', 'ﬁ'],
  ...[
    'constructor',
    'toString',
    'hasOwnProperty',
    'length',
    'null',
    'true',
    '{url',
    '名 字',
    '🔑',
    'x-y',
    '_',
  ],
];

/** Never returns a name twice. */
export interface Namer {
  name(value: string): string;
}

export function createNamer(style: Style, random: Random): Namer {
  const given = new Set<string>();
  return {
    name(value) {
      const [latest] = [...given].slice(-1);
      const similar = latest !== undefined && random.chance(0.06) ? swapCase(latest) : undefined;
      let name = similar ?? spell(value, style, random);
      while (given.has(name)) name += random.pick(['2', 'X', '_', '新']);
      given.add(name);
      return name;
    },
  };
}

function spell(value: string, style: Style, random: Random): string {
  const [chinese, ...english] = words[value] ?? [value, value];
  const chosen = style === 'mixed' ? random.pick(styles.filter((one) => one !== 'mixed')) : style;
  if (chosen === 'chinese') return chinese;
  if (chosen === 'odd') return random.pick(odd);
  return spellings[chosen](random.pick(english).split(' '));
}

const spellings: Readonly<Record<Exclude<Style, 'chinese' | 'odd' | 'mixed'>, (parts: string[]) => string>> =
  {
    camel: ([first = '', ...others]) => first + others.map(capitalize).join(''),
    snake: (parts) => parts.join('_'),
    pascal: (parts) => parts.map(capitalize).join(''),
    kebab: (parts) => parts.join('-'),
    shouting: (parts) => parts.join('_').toUpperCase(),
  };

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Differs only in case, if the script has cases. */
function swapCase(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}
