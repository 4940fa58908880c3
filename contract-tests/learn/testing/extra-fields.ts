// What the deployment's own operations take and answer besides what a profile states.
import type { OperationId } from '../../../openapi/operations.ts';

/** By operation: `request` are optional members of the body, `query` parameters, `data` members beside the values, `item` members of each item of a list. */
export interface Extras {
  request?: string;
  query?: string;
  data?: string;
  item?: string;
}

const audit = 'tenant_id created_by?';

export const extraFields: Readonly<Record<OperationId, Extras>> = {
  login: {
    request: 'captcha? remember_me?',
    data: 'token_type user_id tenant_id refresh_token? avatar_url?',
  },
  refresh: { data: 'token_type' },
  createSubscription: { request: 'remark? enabled?', data: 'enabled created_at?' },
  testSubscription: { data: 'response_status? elapsed_seconds?' },
  createSite: {
    request: 'template_id? domain? description? language?',
    data: 'tenant_id template_id? domain? status? created_at',
  },
  listSites: {
    query: 'keyword? status?',
    item: 'domain? status:draft|online|offline template_id? cover_url? created_at',
  },
  getSite: {
    data: 'tenant_id domain? status:draft|online|offline theme_id? settings? created_at updated_at',
  },
  deleteSite: {},
  publishSite: {
    request: 'channel_ids?',
    data: 'task_id status:queued|running|done started_at? preview_url?',
  },
  failPublish: { data: 'task_id status:queued|running|failed' },
  importSite: {
    request: 'format:html|zip|wordpress? overwrite_pages?',
    data: 'task_id status:queued|running|done template_id?',
  },
  askAi: { request: 'model? temperature? max_tokens?', data: 'model used_tokens finish_reason? request_id?' },
  createKey: { request: 'remark? scopes[]? expires_at?', data: 'prefix? masked? tenant_id expires_at?' },
  listKeys: { query: 'status?', item: 'prefix masked? last_used_at? expires_at? status:active|disabled' },
  deleteKey: {},
  createContent: { request: 'summary? category_id? cover_url? tags[]?', data: `slug? ${audit}` },
  listContents: { query: 'keyword? category_id?', item: 'slug? summary? category_id? views cover_url?' },
  getContent: { data: 'slug? summary? category_id? cover_url? views' },
  updateContent: { request: 'summary? category_id? cover_url? tags[]?', data: 'slug? category_id?' },
  deleteContent: {},
  publishContent: { data: 'published_at? url?' },
  submitForm: { request: 'captcha? referrer_url?', data: 'thank_you_text?' },
  createComment: { request: 'email? parent_id?', data: 'status:pending|approved' },
  listSubmissions: { query: 'keyword?', item: 'ip? read? user_agent?' },
  listComments: {
    query: 'status:pending|approved|spam?',
    item: 'status:pending|approved|spam parent_id? ip?',
  },
  getPublish: { data: 'task_id? started_at? finished_at? operator_id?' },
  listSubscriptions: { query: 'enabled?', item: 'enabled remark? last_delivered_at?' },
  deleteSubscription: {},
  listDeliveries: { query: 'status?', item: 'webhook_id response_status? elapsed_seconds?' },
};
