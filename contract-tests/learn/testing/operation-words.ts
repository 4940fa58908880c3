// What the deployment's own operations are called by the people who built it.
import type { OperationId } from '../../../openapi/operations.ts';

export interface OperationWords {
  resource: string;
  action: string;
  en: readonly [string, ...string[]];
  zh: readonly [string, ...string[]];
}

/** `~` stands for the noun in the path of content, such as "article". */
export const operationWords: Readonly<Record<OperationId, OperationWords>> = {
  login: word('auth login', ['Log in', 'Tenant login', 'Sign in'], ['登录', '租户登录', '账号密码登录']),
  refresh: word('auth refresh', ['Refresh token', 'Renew the session token'], ['刷新令牌', '续期会话']),
  createSubscription: word(
    'webhook create',
    ['Create a webhook', 'Subscribe to events of a site'],
    ['创建Webhook订阅', '新增推送订阅'],
  ),
  testSubscription: word(
    'webhook test',
    ['Send a test message', 'Test a webhook'],
    ['发送测试消息', '测试Webhook'],
  ),
  createSite: word(
    'site create',
    ['Create a site', 'Create site', 'Add a new website'],
    ['创建站点', '新建站点', '新增网站'],
  ),
  listSites: word(
    'site list',
    ['List sites', "List the tenant's sites", 'Get all my websites'],
    ['站点列表', '查询站点列表', '我的网站列表'],
  ),
  getSite: word(
    'site get',
    ['Get a site', 'Site detail', 'Read one website'],
    ['站点详情', '查询站点', '获取网站信息'],
  ),
  deleteSite: word(
    'site delete',
    ['Delete a site', 'Remove site', 'Delete website'],
    ['删除站点', '移除站点', '删除网站'],
  ),
  publishSite: word(
    'site publish',
    ['Publish a site', 'Publish site', 'Put the site online'],
    ['发布站点', '站点发布', '发布网站'],
  ),
  failPublish: word(
    'site failPublish',
    [
      'Publish a site so that it fails',
      'Simulate a failing publish',
      'Trigger a publish that fails, for tests',
    ],
    ['模拟发布失败', '触发一次失败的发布', '发布失败演练'],
  ),
  importSite: word(
    'site import',
    ['Import a site', 'Import site from URL', 'Import an existing website'],
    ['导入站点', '从URL导入站点', '导入已有网站'],
  ),
  askAi: word(
    'ai generate',
    ['Generate text with AI', 'Ask the AI assistant', 'AI writing'],
    ['AI生成文本', 'AI助手', 'AI写作'],
  ),
  createKey: word(
    'apiKey create',
    ['Create an API key', 'Create API key', 'Issue an API key'],
    ['创建API密钥', '新增API Key', '生成密钥'],
  ),
  listKeys: word(
    'apiKey list',
    ['List API keys', 'List the API keys', 'All API keys'],
    ['API密钥列表', '查询API Key列表', '密钥列表'],
  ),
  deleteKey: word(
    'apiKey delete',
    ['Delete an API key', 'Delete API key', 'Revoke an API key'],
    ['删除API密钥', '删除API Key', '吊销密钥'],
  ),
  createContent: word(
    'content create',
    ['Create ~', 'Create a new ~', 'Add ~'],
    ['创建内容', '新建内容', '新增内容'],
  ),
  listContents: word(
    'content list',
    ['List ~', "List a site's ~", 'All ~ of a site'],
    ['内容列表', '查询内容列表', '站点内容列表'],
  ),
  getContent: word('content get', ['Get ~', 'Read one ~', '~ detail'], ['内容详情', '查询内容', '获取内容']),
  updateContent: word(
    'content update',
    ['Update ~', 'Edit ~', 'Change ~'],
    ['更新内容', '编辑内容', '修改内容'],
  ),
  deleteContent: word(
    'content delete',
    ['Delete ~', 'Remove ~', 'Delete one ~'],
    ['删除内容', '移除内容', '删除一条内容'],
  ),
  publishContent: word(
    'content publish',
    ['Publish ~', 'Publish one ~', 'Put ~ online'],
    ['发布内容', '内容发布', '上线内容'],
  ),
  submitForm: word(
    'form submit',
    ['Submit a form', 'Submit form', 'Send in a form (visitor)'],
    ['提交表单', '表单提交', '访客提交表单'],
  ),
  createComment: word(
    'comment create',
    ['Create a comment', 'Post a comment', 'Comment on a site (visitor)'],
    ['发表评论', '提交评论', '访客评论'],
  ),
  listSubmissions: word(
    'submission list',
    ['List form submissions', 'Submissions of a site', 'What came in by forms'],
    ['表单提交列表', '查询表单提交', '表单数据列表'],
  ),
  listComments: word(
    'comment list',
    ['List comments', 'Comments on a site', "List a site's comments"],
    ['评论列表', '查询评论', '站点评论列表'],
  ),
  getPublish: word(
    'publish get',
    ['Get a publish', 'State of a publish', 'Publish status by version'],
    ['发布详情', '查询发布状态', '发布任务状态'],
  ),
  listSubscriptions: word(
    'webhook list',
    ['List webhooks', "List a site's webhook subscriptions", 'All webhooks of a site'],
    ['Webhook订阅列表', '查询推送订阅', 'Webhook列表'],
  ),
  deleteSubscription: word(
    'webhook delete',
    ['Delete a webhook', 'Delete webhook subscription', 'Unsubscribe a webhook'],
    ['删除Webhook订阅', '删除推送订阅', '取消Webhook订阅'],
  ),
  listDeliveries: word(
    'delivery list',
    ['List deliveries', 'Push log of a webhook', 'Webhook delivery log'],
    ['推送记录列表', 'Webhook推送日志', '查询推送日志'],
  ),
};

function word(name: string, en: OperationWords['en'], zh: OperationWords['zh']): OperationWords {
  const [resource = '', action = ''] = name.split(' ');
  return { resource, action, en, zh };
}
