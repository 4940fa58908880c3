// What swag makes of the comments of Go handlers: Swagger 2.0.
import { wrapInGeneric } from '../add-envelope.ts';
import type { Framework } from '../framework.ts';
import { snake } from '../naming.ts';
import { camelIds, lastIsId, pickRename, snakeIds } from '../renames.ts';
import type { Style } from '../style.ts';

/**
 * Nine operations of ten have a summary, and none has an operationId; 85 answers of 100 are described; five fields of ten are, by the comments of
 * their structs.
 */
export const goSwaggo: Style = {
  rename: (random) => pickRename(random, [snakeIds, lastIsId, camelIds]),
  framework: ({ random, origin }) => {
    const language = random.pick(['zh', 'en'] as const);
    const isPrefixed = random.chance(0.3);
    const bodyName = random.pick(['body', 'req', 'request', 'data']);
    return {
      dialect: {
        ...{ version: '2.0', language, descriptions: 0.5, examples: 0.2, marksRequired: true },
        className: (model, purpose) =>
          purpose === 'request'
            ? `handler.${model}Req`
            : model === 'Response'
              ? 'response.Response'
              : `model.${model}`,
      },
      head: {
        ...(random.chance(0.5) && { schemes: ['http', 'https'] }),
        swagger: '2.0',
        info: { description: 'Site builder backend.', title: 'Sites API', contact: {}, version: '1.0' },
        host: origin.replace(/^https?:\/\//, ''),
        basePath: isPrefixed ? '/' : '/api/v1',
      },
      components: {
        securityDefinitions: { ApiKeyAuth: { type: 'apiKey', name: 'Authorization', in: 'header' } },
      },
      prefix: isPrefixed ? '/api/v1' : '',
      textsOf: ({ resource, summary, details, needsWords }) => {
        const isSaid = needsWords || random.chance(0.9);
        return {
          ...(isSaid && details && { description: details[language] }),
          tags: [language === 'zh' ? (folders[resource] ?? resource) : snake(resource)],
          ...(isSaid && { summary: summary[language] }),
        };
      },
      wrap: (body, _operation, writer) => wrapInGeneric(body, writer, 'Response'),
      showsAnswer: () => random.chance(0.85),
      bodyName: () => bodyName,
      securityOf: ({ auth }) => (auth === 'none' ? {} : { security: [{ ApiKeyAuth: [] }] }),
      tellsAuth: 'whether',
      finishParameter: (parameter) => ({
        ...parameter,
        description: parameter.description ?? parameter.name,
      }),
    } satisfies Framework;
  },
};

/** What groups of handlers are called in Chinese. */
export const folders: Readonly<Record<string, string>> = {
  ...{
    auth: '登录认证',
    user: '用户管理',
    role: '角色管理',
    member: '成员管理',
    media: '素材管理',
    template: '模板管理',
  },
  ...{
    theme: '主题管理',
    domain: '域名管理',
    dns: '域名管理',
    menu: '导航菜单',
    page: '页面管理',
    category: '分类管理',
  },
  ...{
    tag: '标签管理',
    content: '内容管理',
    entry: '内容管理',
    site: '站点管理',
    import: '站点导入',
    ai: 'AI能力',
    apiKey: 'API密钥',
  },
  ...{
    formDefinition: '表单管理',
    form: '访客接口',
    submission: '表单管理',
    comment: '评论管理',
    webhook: 'Webhook',
  },
  ...{
    delivery: 'Webhook',
    notification: '消息通知',
    auditLog: '日志',
    loginLog: '日志',
    billing: '计费',
    tenant: '租户信息',
  },
  ...{
    adminSite: '运营后台',
    adminTenant: '运营后台',
    legacySite: '已废弃',
    siteV2: '站点管理V2',
    publish: '站点发布',
  },
  ...{ health: '系统', file: '文件', search: '搜索', analytics: '数据统计', setting: '系统设置' },
};
