import { expect, test } from 'vitest';
import { type Learning, learnOperations } from './learn-operations.ts';
import { deletionsIn } from './learnt-findings.ts';
import { describe, sketchOperations } from './testing/sketch-description.ts';

function learn(sketch: string, given: object = {}): Learning {
  return learnOperations(sketchOperations(sketch), { given: { ...given } });
}

/** Certain operations by name, including deletions. */
function certainIn({ operations }: Learning): Record<string, Record<string, unknown>> {
  const clear = operations.filter(({ isCertain }) => isCertain);
  return Object.fromEntries(clear.map(({ gap, value }) => [gap.id.slice('operation.'.length), value ?? {}]));
}

function learntOf(name: string, { operations }: Learning) {
  return operations.find(({ gap }) => gap.id === `operation.${name}`);
}

/** A sketch of calls, then the expected operations. */
test.for([
  [
    'Chinese calls that are all POST',
    `POST /open/site/add says 新增站点 body siteName* domain answer siteId:integer
    POST /open/site/page says 站点分页查询 body pageNo:integer pageSize:integer answer list[siteId,siteName] total:integer
    POST /open/site/detail says 站点详情 body siteId*:integer answer siteId:integer siteName onlineVersion:integer
    POST /open/site/del says 删除站点 body siteId*:integer
    POST /open/site/release says 发布上线 body siteId*:integer remark answer versionNo:integer
    POST /open/site/offline says 站点下线 body siteId*:integer
    POST /open/site/copy says 复制站点 body siteId*:integer answer siteId:integer
    POST /open/site/importByUrl says 通过URL导入站点 body url* siteName answer siteId:integer
    POST /open/article/save says 保存文章 body siteId*:integer title* content answer articleId:integer
    POST /open/article/push says 推送文章到百度 body articleId*:integer
    POST /open/apikey/generate says 生成密钥 body name* answer id:integer apiKey
    POST /open/apikey/reset says 重置密钥 body id*:integer answer apiKey
    POST /open/webhook/delete says 删除订阅 body id*:integer
    POST /open/webhook/logs says 推送记录 body webhookId*:integer pageNo:integer answer list[id,event,status] total:integer
    POST /open/notify/logs says 通知记录 body pageNo:integer answer list[id,status]
    POST /open/login/logs says 登录日志 body pageNo:integer answer list[id,ip]`,
    `create-site: POST /open/site/add {"body":{"siteName":"{name}"},"id":"/data/siteId"}
    list-sites: POST /open/site/page {"body":{"pageNo":"{page}","pageSize":"{page_size}"},"list":"/data/list","total":"/data/total","item.id":"/siteId","item.name":"/siteName"}
    get-site: POST /open/site/detail {"body":{"siteId":"{siteID}"},"id":"/data/siteId","name":"/data/siteName","version":"/data/onlineVersion"}
    delete-site: POST /open/site/del {"body":{"siteId":"{siteID}"}}
    publish-site: POST /open/site/release {"body":{"siteId":"{siteID}","remark":"{note}"},"version":"/data/versionNo"}
    import-site: POST /open/site/importByUrl {"body":{"url":"{source}","siteName":"{name}"},"id":"/data/siteId"}
    create-key: POST /open/apikey/generate {"body":{"name":"{name}"},"id":"/data/id","key":"/data/apiKey"}
    create-content: POST /open/article/save {"body":{"siteId":"{siteID}","title":"{title}","content":"{text}"},"id":"/data/articleId"}
    delete-subscription: POST /open/webhook/delete {"body":{"id":"{subscriptionID}"}}
    list-deliveries: POST /open/webhook/logs {"body":{"webhookId":"{subscriptionID}","pageNo":"{page}"},"list":"/data/list","total":"/data/total","item.id":"/id","item.event":"/event","item.state":"/status"}`,
  ],
  [
    'PHP with the action in the path',
    `POST /index.php/site/create says Create_site body title* answer id:integer
    POST /index.php/site/publish body site_id*:integer note answer version:integer
    POST /index.php/site/publish_cancel body site_id*:integer
    POST /index.php/post/edit body id*:integer site_id*:integer title* content*
    POST /index.php/guestbook/add body site_id*:integer nickname* content*`,
    `create-site: POST /index.php/site/create {"body":{"title":"{name}"},"id":"/data/id"}
    publish-site: POST /index.php/site/publish {"body":{"site_id":"{siteID}","note":"{note}"},"version":"/data/version"}
    update-content: POST /index.php/post/edit {"body":{"id":"{contentID}","site_id":"{siteID}","title":"{title}","content":"{text}"}}
    create-comment: POST /index.php/guestbook/add {"body":{"site_id":"{siteID}","nickname":"{author}","content":"{text}"}}`,
  ],
  [
    'only pinyin',
    `POST /zhandian/{id}/fabu body beizhu answer banben:integer
    POST /zhandian/{id}/fabu/quxiao
    DELETE /zhandian/{id}/neirong/{nid}
    POST /zhandian/{id}/biaodan/{bid}/tijiao body shuju*:object answer id:integer
    GET /zhandian/{id}/biaodan answer list[id,mingcheng]
    GET /zhandian/{id}/dingyue/{did}/tuisongjilu answer list[id,shijian,zhuangtai] total:integer
    GET /denglu/jilu answer list[id,ip]`,
    `publish-site: POST /zhandian/{siteID}/fabu {"body":{"beizhu":"{note}"},"version":"/data/banben"}
    delete-content: DELETE /zhandian/{siteID}/neirong/{contentID} {}
    submit-form: POST /zhandian/{siteID}/biaodan/{form}/tijiao {"body":{"shuju":"{fields}"},"id":"/data/id"}
    list-deliveries: GET /zhandian/{siteID}/dingyue/{subscriptionID}/tuisongjilu {"list":"/data/list","total":"/data/total","item.id":"/id","item.event":"/shijian","item.state":"/zhuangtai"}`,
  ],
  [
    'names as in GraphQL',
    `POST /query/sites answer nodes[id,name] totalCount:integer
    POST /mutation/createApiKey body name* answer id token
    POST /mutation/deleteApiKey body id*
    POST /query/webhookDeliveries body webhookId* after answer nodes[id,event,state] endCursor`,
    `list-sites: POST /query/sites {"list":"/data/nodes","total":"/data/totalCount","item.id":"/id","item.name":"/name"}
    create-key: POST /mutation/createApiKey {"body":{"name":"{name}"},"id":"/data/id","key":"/data/token"}
    delete-key: POST /mutation/deleteApiKey {"body":{"id":"{keyID}"}}
    list-deliveries: POST /query/webhookDeliveries {"body":{"webhookId":"{subscriptionID}","after":"{cursor}"},"list":"/data/nodes","next":"/data/endCursor","item.id":"/id","item.event":"/event","item.state":"/state"}`,
  ],
] as const)('learns from %s', ([, sketch, want]) => {
  const calls = want.split(/\n */).map((line) => {
    const [name = '', method, path, ...rest] = line.split(' ');
    return [name.replace(':', ''), { method, path, ...JSON.parse(rest.join(' ')) }];
  });
  expect(certainIn(learn(sketch))).toEqual(Object.fromEntries(calls));
});

/** Calls that learning must not mistake for wanted ones; some are destructive. */
const nearMisses = `POST /sites/{id}/publish-preview answer version:integer
  POST /sites/{id}/unpublish answer version:integer
  POST /sites/{id}/publish/cancel
  POST /sites/{id}/publish body version*:integer answer version:integer
  POST /sites/{id}/publish/settings answer version:integer
  POST /sites/{id}/publish/status answer version:integer
  DELETE /sites/{id}/publish answer version:integer
  POST /sites/{id}/publish says 停止发布 answer version:integer
  POST /sites/{id}/publish says Publish site (dry run, nothing goes live) body note answer version:integer
  POST /sites/{id}/publish says Request that a site be published answer version:integer
  POST /sites/{id}/publish called publishPrivacyNotice answer version:integer
  POST /sites/{id}/publish called publishSiteOrFailPublish says Publish a site, or cause a publish that fails
  GET /sites/{id}/comments says List Comment Threads answer list[id,text]
  POST /sites/{id}/publish/on answer version:integer
  POST /sites/existing body name* says Adds an existing site answer id
  PUT /articles/{contentId}/2 body title*
  POST /sites/{id}/publish body environment*=staging note answer version:integer
  POST /sites/{id}/publish body action*=takedown answer version:integer
  POST /sites/{id}/publish answer current_version:integer queued_version:integer
  POST /contents/{id}/publish body publish*=later
  POST /sites/import/preview body url* answer id
  POST /import body url* says Import translations answer id
  POST /publish/app body appId* answer version
  POST /sites/{id}/comments/{cid}/reply body text* answer id
  POST /sites body name* clone_from* answer id
  POST /sites/save says 保存站点为模版 body name* answer id
  POST /api-keys/rotate body name answer id key
  POST /api-keys body name* answer id key secret
  POST /ssh-keys body name* answer id key
  POST /tokens says Issue a token for embedding the editor body name* answer id token
  POST /ai/images body prompt* answer url
  POST /ai/publish body prompt* answer text
  GET /admin/sites answer list[id,name]
  GET /sites says List deleted sites answer list[id,name] total:integer
  GET /sites/{domain}
  GET /projects/{id} answer id name
  GET /contents/{slug} says Get a content item
  GET /i18n/keys answer list[id,name]
  GET /webhooks/events answer list[id,name]
  GET /push/logs says App 推送记录 answer list[id,status]
  GET /tenant/subscriptions answer list[id,plan,price]
  GET /sites/{id}/versions/{version} answer version:integer author
  POST /sites says Delete all sites, and begin anew body name*
  POST /sites says Publish every site of the tenant body name*
  POST /sites says Transfer a site to a new owner body name*
  POST /sites says 清空站点 body name*
  POST /sites/{id}/comments says Delete spam body text*
  GET /sites called deleteSites answer list[id,name]
  DELETE /sites
  DELETE /tenants/{siteId}/sites
  DELETE /sites/{siteId}/sites
  DELETE /sites/{contentId}/contents/{siteId}
  POST /tenants/{siteId}/sites/publish answer version:integer
  DELETE /sites/{id}/account
  DELETE /sites/{tenantId}
  DELETE /sites/{id} query trash*=true
  DELETE /sites/{id} says 软删除站点
  DELETE /sites/{id}/contents
  DELETE /sites/{id}/contents/{lang} says Delete a translation
  DELETE /keys/{userId} says Delete the keys of a user
  DELETE /build-hooks/{id} says Delete a build hook
  DELETE /newsletter/subscriptions/{id} says Unsubscribe
  DELETE /{name} called SiteService_DeleteSite
  PUT /contents/{id} body title* status*=trash`;

test('is certain of no near miss, by itself or among others', () => {
  expect(certainIn(learn(nearMisses))).toEqual({});
  for (const line of nearMisses.split('\n')) expect(certainIn(learn(line)), line).toEqual({});
});

test.for([
  [
    'two equal candidates',
    'publish-content',
    `POST /contents/{id}/publish called publishContent
    POST /articles/{id}/publish called publishArticle`,
    'POST /articles/{id}/publish also fits',
  ],
  [
    'an unknown required value',
    'create-content',
    'POST /sites/{siteId}/contents body title* body* categoryId* answer id',
    'no value is known for /categoryId',
  ],
  [
    'an answer without a value that a check needs',
    'create-site',
    'POST /sites body name* answer success:boolean',
    'the answer has no id',
  ],
  ['a deprecated call', 'get-site', 'GET /sites/{id} deprecated', 'deprecated'],
] as const)('doubts %s', ([, name, sketch, doubt]) => {
  const one = learntOf(name, learn(sketch));
  expect(one).toMatchObject({ isCertain: false, value: expect.anything() });
  expect(one?.doubts).toContain(doubt);
});

test('lists a certain deletion among those that wait for a call', () => {
  const learning = learn('DELETE /sites/{id} says Delete a site\nGET /sites/{id} answer id name');
  expect(Object.keys(certainIn(learning))).toEqual(['get-site', 'delete-site']);
  expect(deletionsIn(learning).map(({ gap }) => gap.id)).toEqual(['operation.delete-site']);
  const doubtful = learn('DELETE /sites/{id} deprecated');
  expect(learntOf('delete-site', doubtful)?.value).toBeDefined();
  expect(deletionsIn(doubtful)).toEqual([]);
});

test('shows up to two alternatives with place and doubts', () => {
  const sketch = `GET /sites answer list[id,name]
    GET /v2/sites answer list[id,name]
    GET /v3/sites answer list[id,name]
    GET /v4/sites answer list[id,name]`;
  const one = learntOf('list-sites', learn(sketch));
  expect(one?.value).toMatchObject({ path: '/sites' });
  expect(one?.reasons).toContain('path: site');
  expect(one?.alternatives).toMatchObject([
    { value: { path: '/v2/sites' }, place: 'api', doubts: ['the path says "v2"'] },
    { value: { path: '/v3/sites' }, place: 'api', doubts: ['the path says "v3"'] },
  ]);
});

test('ignores given gaps and calls of the interface document', () => {
  const sketch = 'POST /tenant/sites/{id}/webhooks body url* answer id\nGET /sites answer list[id,name]';
  const learning = learn(sketch, { 'operation.get-site': 'not-offered' });
  expect(learntOf('get-site', learning)).toBeUndefined();
  expect(Object.keys(certainIn(learning))).toEqual(['list-sites']);
  expect(learning.count).toBe(2);
});

test('doubts a value that contradicts a given one', () => {
  const given = { 'operation.get-site': { method: 'DELETE', path: '/sites/{siteID}' } };
  const one = learntOf('delete-site', learn('DELETE /sites/{id}', given));
  expect(one).toMatchObject({ isCertain: false, doubts: [expect.stringContaining('operation.get-site')] });
});

test('counts a described and recorded operation once, and prefers it', () => {
  const described = sketchOperations(
    'GET /sites/{id}/articles answer list[id,title]\nGET /sites/{id}/posts answer list[id,title]',
  );
  const called = described.slice(1).map((one) => ({ ...one, path: '/sites/{x}/posts', isCalled: true }));
  const learning = learnOperations([...described, ...called], { given: {} });
  expect(learning.count).toBe(2);
  expect(learntOf('list-contents', learning)?.value).toMatchObject({ path: '/sites/{siteID}/posts' });
  expect(learntOf('list-contents', learning)?.reasons).toContain('recorded');
});

const dryRun = { name: 'X-Dry-Run', in: 'header', required: true, schema: { type: 'string' } };

test.for<[what: string, deletion: object, doubts: string[], headers?: string[]]>([
  ['a header', { parameters: [dryRun] }, ['requires the header X-Dry-Run']],
  ['a header that is given', { parameters: [dryRun] }, [], ['X-DRY-RUN']],
  ['a cookie', { parameters: [{ ...dryRun, name: 'csrf', in: 'cookie' }] }, ['requires the cookie csrf']],
  [
    'a form',
    { requestBody: { content: { 'multipart/form-data': { schema: { type: 'object' } } } } },
    ['the body has the type multipart/form-data, but a profile can state only JSON'],
  ],
  ['an optional header', { parameters: [{ ...dryRun, required: false }] }, []],
])('doubts a call only for requirements that nothing meets: %s', ([, deletion, want, headers = []]) => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const paths = { '/sites/{id}': { parameters: [id], delete: { responses: {}, ...deletion } } };
  const learning = learnOperations(describe({ paths }), { given: {}, headers });
  expect(learntOf('delete-site', learning)?.doubts).toEqual(want);
});
