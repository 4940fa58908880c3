import { expect, test } from 'vitest';
import { isObject } from '../../openapi/json.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { rankIdentifier } from './answer/find-identifier.ts';
import { type Learning, learnOperations } from './learn-operations.ts';
import { sketchOperations } from './testing/sketch-description.ts';

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
    {
      'create-site': {
        method: 'POST',
        path: '/open/site/add',
        body: { siteName: '{name}' },
        id: '/data/siteId',
      },
      'list-sites': {
        method: 'POST',
        path: '/open/site/page',
        body: { pageNo: '{page}', pageSize: '{page_size}' },
        list: '/data/list',
        total: '/data/total',
        'item.id': '/siteId',
        'item.name': '/siteName',
      },
      'get-site': {
        method: 'POST',
        path: '/open/site/detail',
        body: { siteId: '{siteID}' },
        id: '/data/siteId',
        name: '/data/siteName',
        version: '/data/onlineVersion',
      },
      'delete-site': { method: 'POST', path: '/open/site/del', body: { siteId: '{siteID}' } },
      'publish-site': {
        method: 'POST',
        path: '/open/site/release',
        body: { siteId: '{siteID}', remark: '{note}' },
        version: '/data/versionNo',
      },
      'import-site': {
        method: 'POST',
        path: '/open/site/importByUrl',
        body: { url: '{source}', siteName: '{name}' },
        id: '/data/siteId',
      },
      'create-key': {
        method: 'POST',
        path: '/open/apikey/generate',
        body: { name: '{name}' },
        id: '/data/id',
        key: '/data/apiKey',
      },
      'create-content': {
        method: 'POST',
        path: '/open/article/save',
        body: { siteId: '{siteID}', title: '{title}', content: '{text}' },
        id: '/data/articleId',
      },
      'delete-subscription': {
        method: 'POST',
        path: '/open/webhook/delete',
        body: { id: '{subscriptionID}' },
      },
      'list-deliveries': {
        method: 'POST',
        path: '/open/webhook/logs',
        body: { webhookId: '{subscriptionID}', pageNo: '{page}' },
        list: '/data/list',
        total: '/data/total',
        'item.id': '/id',
        'item.event': '/event',
        'item.state': '/status',
      },
    },
  ],
  [
    'PHP, with the action in the path',
    `POST /index.php/site/create says Create_site body title* answer id:integer
    POST /index.php/site/publish body site_id*:integer note answer version:integer
    POST /index.php/site/publish_cancel body site_id*:integer
    POST /index.php/post/edit body id*:integer site_id*:integer title* content*
    POST /index.php/guestbook/add body site_id*:integer nickname* content*`,
    {
      'create-site': {
        method: 'POST',
        path: '/index.php/site/create',
        body: { title: '{name}' },
        id: '/data/id',
      },
      'publish-site': {
        method: 'POST',
        path: '/index.php/site/publish',
        body: { site_id: '{siteID}', note: '{note}' },
        version: '/data/version',
      },
      'update-content': {
        method: 'POST',
        path: '/index.php/post/edit',
        body: { id: '{contentID}', site_id: '{siteID}', title: '{title}', content: '{text}' },
      },
      'create-comment': {
        method: 'POST',
        path: '/index.php/guestbook/add',
        body: { site_id: '{siteID}', nickname: '{author}', content: '{text}' },
      },
    },
  ],
  [
    'pinyin alone',
    `POST /zhandian/{id}/fabu body beizhu answer banben:integer
    POST /zhandian/{id}/fabu/quxiao
    DELETE /zhandian/{id}/neirong/{nid}
    POST /zhandian/{id}/biaodan/{bid}/tijiao body shuju*:object answer id:integer
    GET /zhandian/{id}/biaodan answer list[id,mingcheng]
    GET /zhandian/{id}/dingyue/{did}/tuisongjilu answer list[id,shijian,zhuangtai] total:integer
    GET /denglu/jilu answer list[id,ip]`,
    {
      'publish-site': {
        method: 'POST',
        path: '/zhandian/{siteID}/fabu',
        body: { beizhu: '{note}' },
        version: '/data/banben',
      },
      'delete-content': { method: 'DELETE', path: '/zhandian/{siteID}/neirong/{contentID}' },
      'submit-form': {
        method: 'POST',
        path: '/zhandian/{siteID}/biaodan/{form}/tijiao',
        body: { shuju: '{fields}' },
        id: '/data/id',
      },
      'list-deliveries': {
        method: 'GET',
        path: '/zhandian/{siteID}/dingyue/{subscriptionID}/tuisongjilu',
        list: '/data/list',
        total: '/data/total',
        'item.id': '/id',
        'item.event': '/shijian',
        'item.state': '/zhuangtai',
      },
    },
  ],
  [
    'names as of GraphQL',
    `POST /query/sites answer nodes[id,name] totalCount:integer
    POST /mutation/createApiKey body name* answer id token
    POST /mutation/deleteApiKey body id*
    POST /query/webhookDeliveries body webhookId* after answer nodes[id,event,state] endCursor`,
    {
      'list-sites': {
        method: 'POST',
        path: '/query/sites',
        list: '/data/nodes',
        total: '/data/totalCount',
        'item.id': '/id',
        'item.name': '/name',
      },
      'create-key': {
        method: 'POST',
        path: '/mutation/createApiKey',
        body: { name: '{name}' },
        id: '/data/id',
        key: '/data/token',
      },
      'delete-key': { method: 'POST', path: '/mutation/deleteApiKey', body: { id: '{keyID}' } },
      'list-deliveries': {
        method: 'POST',
        path: '/query/webhookDeliveries',
        body: { webhookId: '{subscriptionID}', after: '{cursor}' },
        list: '/data/nodes',
        next: '/data/endCursor',
        'item.id': '/id',
        'item.event': '/event',
        'item.state': '/state',
      },
    },
  ],
] as const)('learns from %s', ([, text, want]) => {
  expect(certainIn(learnt(text))).toEqual(want);
});

/** Each could be called by mistake, and some would delete what nobody wants to lose. */
const nearMisses = `POST /sites/{id}/publish-preview answer version:integer
  POST /sites/{id}/unpublish answer version:integer
  POST /sites/{id}/publish/cancel
  POST /sites/{id}/publish body version*:integer answer version:integer
  POST /sites/import/preview body url* answer id
  POST /sites/{id}/comments/{cid}/reply body text* answer id
  POST /sites/{id}/comments/{cid}/approve
  GET /users answer list[id,name] total:integer
  POST /api-keys/rotate body name answer id key
  POST /ssh-keys body name* answer id key
  POST /sites/{id}/webhooks/{wid}/ping
  GET /webhooks/events answer list[id,name]
  GET /media answer list[id,name]
  GET /templates answer list[id,name]
  GET /admin/sites answer list[id,name]
  DELETE /admin/sites/{id}
  DELETE /sites
  DELETE /sites/{id}/trash
  DELETE /sites/{id}/cache
  DELETE /sites/{id}/{lang}
  DELETE /sites/{id}/members/{mid}
  POST /sites/batch-delete body ids*:array
  DELETE /v2/sites/{id}
  DELETE /sites/{id}/contents
  DELETE /sites/{id}/contents/{cid}/comments
  POST /sites/{id}/contents/{cid}/archive
  PUT /sites/{id}/contents/{cid}/category body title*
  GET /sites/{id}/categories answer list[id,name]
  POST /sites/{id}/categories body name* answer id
  GET /sites/{id}/forms answer list[id,name]
  POST /sites/{id}/forms body name* answer id
  GET /sites/{id}/settings answer id name version
  GET /sites/{id}/versions/{version}/diff answer version:integer state
  GET /notification-logs answer list[id,event,status]
  GET /login-logs answer list[id,ip]
  POST /ai/images body prompt* answer url
  GET /ai/usage answer text
  POST /ai/site says AI建站 body prompt* site_name answer text
  POST /ai/publish body prompt* answer text
  DELETE /keys/{userId} says Delete the keys of a user
  DELETE /sites/{tenantId}
  GET /sites/{id}/contents/{type} answer list[id,title]
  DELETE /sites/{id}/data says Erase what visitors left
  DELETE /{name} called SiteService_DeleteSite
  POST /sites/{id}/publish/simulate says Dry run of a publish body note answer version:integer
  POST /sites/{id}/publish says 申请发布 body note answer version:integer
  POST /sites/{id}/publish says Publish site (dry run, nothing goes live) body note answer version:integer
  POST /sites/{id}/publish body environment*=staging note answer version:integer
  POST /sites/save says 保存站点为模版 body name* answer id
  DELETE /subscriptions/{sid} tags Plans
  POST /tokens says Issue a token for embedding the editor body name* answer id token
  DELETE /tenant/subscriptions/{id} says Cancel a subscription
  DELETE /tenant/subscriptions/{id} says Delete a subscription
  DELETE /newsletter/subscriptions/{id} says Unsubscribe
  DELETE /build-hooks/{id} says Delete a build hook
  GET /tenant/subscriptions answer list[id,plan,price]
  POST /sites/{id}/publish body command*=stop answer version:integer
  POST /sites/{id}/publish body action*=pause answer version:integer
  POST /sites/{id}/publish body action*=takedown answer version:integer
  POST /sites/{id}/publish body enabled*:boolean=false answer version:integer
  POST /sites/{id}/publish body mode*=archive answer version:integer
  DELETE /sites/{id} query trash*=true
  DELETE /sites/{id} query mode*=archive
  PUT /contents/{id} body title* status*=trash
  PUT /contents/{id} body title* status*=archived
  POST /contents/{id}/publish body publish*=later
  DELETE /contents/{authorId} says Delete what an author wrote
  DELETE /contents/{locale}
  DELETE /sites/{parentId}
  GET /sites/{collectionId}
  GET /sites/{year}
  GET /contents/{slug} says Get a content item
  GET /contents/{prefix}
  POST /sites/{id}/publish says 停止发布 answer version:integer
  POST /sites/{id}/tingzhi
  GET /sites says 已删除站点列表 answer list[id,name] total:integer
  GET /sites says List deleted sites answer list[id,name] total:integer
  DELETE /webhooks/{id} says 停用订阅
  DELETE /webhooks/{id} says 终止订阅
  DELETE /sites/{id} says 逻辑删除站点
  DELETE /sites/{id} says 软删除站点
  POST /sites/{id}/publish says 预检发布 answer version:integer
  POST /announcements/publish says 发布公告 body title* content answer id
  POST /gonggao/{id}/fabu says 发布公告
  POST /sites/{id}/publish says Request that a site be published answer version:integer
  POST /sites/{id}/publish says 全平台发布 answer version:integer
  POST /import body url* says Import translations answer id
  POST /import body url* says Import redirects answer id
  GET /i18n/keys answer list[id,name]
  DELETE /i18n/keys/{id} says Delete a translation key
  POST /publish/app body appId* answer version
  POST /push says App 推送 body title text
  GET /push/logs says App 推送记录 answer list[id,status]
  POST /sites body name* clone_from* answer id
  DELETE /sites/{id}/contents/{lang} says Delete a translation
  DELETE /publish/{id}
  POST /keys/{id} says Extend an API key body name* answer id key
  POST /sites/{id} says Publish later body publishAt* answer version
  DELETE /webhooks/{organisationId} says Delete all webhooks of an organisation
  GET /sites/{domain}
  DELETE /integrations/keys/{id} tags Integrations
  GET /sites/{id}/app/publishes/{version} answer version:integer state
  GET /sites/{id}/versions/{version} answer version:integer author
  POST /imports body url* answer id state
  POST /api-keys body name* answer id key secret
  POST /sites/{id}/publish answer current_version:integer queued_version:integer`;

test('is certain of no near miss, alone or among others', () => {
  expect(certainIn(learnt(nearMisses))).toEqual({});
  for (const line of nearMisses.split('\n')) expect(certainIn(learnt(line)), line).toEqual({});
});

test.for([
  [
    'two that fit as well',
    'publish-content',
    `POST /contents/{id}/publish called publishContent
    POST /articles/{id}/publish called publishArticle`,
    'POST /articles/{id}/publish fits as well',
  ],
  [
    'what is required and not known',
    'create-content',
    'POST /sites/{siteId}/contents body title* body* categoryId* answer id',
    'nothing is known for /categoryId, which its body requires',
  ],
  [
    'a required field with several values',
    'publish-site',
    'POST /sites/{siteId}/publish body mode*=draft|live answer version:integer',
    '/mode may have several values, and which one is meant is not said',
  ],
  [
    'an answer without what a check needs',
    'create-site',
    'POST /sites body name* answer success:boolean',
    'nothing in its answer looks like the identifier of a site',
  ],
  [
    'a verb that may mean one or all',
    'list-subscriptions',
    'POST /webhook/get body siteId*:integer',
    'it may read one, or all',
  ],
  ['a deprecated one', 'delete-site', 'DELETE /sites/{id} deprecated', 'it is deprecated'],
  [
    'what a summary calls so',
    'delete-site',
    'DELETE /sites/{id} says Delete a site (legacy)',
    'it is deprecated',
  ],
  ['a GET that deletes', 'delete-site', 'GET /site/delete query id*', 'a GET is used for something else'],
  [
    'what its summary says otherwise',
    'delete-key',
    'DELETE /api-keys/{id} says Disable an API key',
    'its summary says "disable"',
  ],
] as const)('doubts %s', ([, name, text, doubt]) => {
  const one = learnt(text).operations.find(({ gap }) => gap.id === `operation.${name}`);
  expect(one).toMatchObject({ isCertain: false, doubts: expect.arrayContaining([doubt]) });
  expect(one?.value).toBeDefined();
});

test('tells calls at one path apart by a flag, and by the identifier', () => {
  const { operations } = learnt(
    `POST /sites/{id}/publish body note simulateFailure:boolean answer version:integer`,
  );
  const stated = (name: string) => operations.find(({ gap }) => gap.id === `operation.${name}`)?.value;
  expect(stated('publish-site')).toMatchObject({ body: { note: '{note}' } });
  expect(stated('fail-publish')).toMatchObject({ body: { note: '{note}', simulateFailure: true } });
});

test.for([
  ['an optional one of the query', 'query simulate_failure:boolean body note', undefined, true],
  ['a required one', 'body note simulate_failure*:boolean', false, true],
  ['a required mode', 'body note mode*=live|fail', 'live', 'fail'],
] as const)('states a publish, and one that fails, by %s', ([, request, ordinary, failing]) => {
  const certain = certainIn(learnt(`POST /sites/{id}/publish ${request} answer version:integer`));
  const sent = ['publish-site', 'fail-publish'].map((name) => {
    const { body, query } = certain[name] as { body: object; query?: object };
    return Object.entries({ ...query, ...body }).filter(([key]) => key !== 'note');
  });
  const of = (value: unknown) =>
    value === undefined ? [] : [[request.includes('mode') ? 'mode' : 'simulate_failure', value]];
  expect(sent).toEqual([of(ordinary), of(failing)]);
});

test('doubts a publish that has to be a trial', () => {
  const { operations } = learnt('POST /sites/{id}/publish body mode*=preview answer version');
  const one = operations.find(({ gap }) => gap.id === 'operation.publish-site');
  expect(one?.doubts).toContain('what it sends says "mode: preview"');
});

test.for([
  ['DELETE /sites/{id}/permanent says Delete a site permanently called purgeSite'],
  ['DELETE /sites/{id}/force says Delete a site for good called deleteASiteForGood'],
  ['POST /sites/{id}/force-delete says Delete a site forever'],
  ['DELETE /sites/{id}/erase says 彻底删除站点'],
])('takes an ordinary deletion rather than %s', ([forGood]) => {
  const path = '/sites/{siteID}';
  const both = learnt(`${forGood}\nDELETE /sites/{id} says Delete a site called deleteSite`);
  expect(certainIn(both)['delete-site']).toEqual({ method: 'DELETE', path });
  const trash = learnt(`${forGood}\nDELETE /sites/{id} says Move a site to the trash called trashSite`);
  expect(certainIn(trash)['delete-site']).toBeUndefined();
});

test('takes a deletion for good where there is no other', () => {
  const text = 'DELETE /sites/{id} says Permanently delete a site called deleteSite';
  const alone = certainIn(learnt(`${text}\nDELETE /sites/{id}/trash says Empty the trash`));
  expect(alone['delete-site']).toEqual({ method: 'DELETE', path: '/sites/{siteID}' });
});

test.for([
  ['entryId', '/data/entryId'],
  ['response_id', '/data/response_id'],
  ['submission', '/data/submission'],
  ['message', undefined],
  ['formId', undefined],
] as const)('finds the identifier of a submission in %s: %s', ([name, want]) => {
  const text = `POST /sites/{id}/forms/{form}/submissions body fields:object answer ${name} createdAt`;
  expect(certainIn(learnt(text))['submit-form']).toMatchObject({ path: expect.anything() });
  expect((certainIn(learnt(text))['submit-form'] as { id?: string }).id).toBe(want);
});

test('takes the text of a comment for no identifier of it', () => {
  const text = 'POST /sites/{id}/comments body author text* answer comment';
  expect(certainIn(learnt(text))['create-comment']).not.toHaveProperty('id');
});

test.for([
  [
    'a name that ends with POST',
    'POST /sites/{id}/publish called Sites_PublishPOST says Publishes the site body comment answer version:integer',
    { 'publish-site': { body: { comment: '{note}' }, version: '/data/version' } },
  ],
  [
    'an import from a URI',
    'POST /sites:import called ImportSite body sourceUri* displayName answer id',
    { 'import-site': { body: { sourceUri: '{source}', displayName: '{name}' } } },
  ],
  [
    'a key that is called a string',
    'POST /apiKeys called CreateApiKey body displayName answer id keyString',
    { 'create-key': { id: '/data/id', key: '/data/keyString' } },
  ],
  [
    'a key that is called plain',
    'POST /apiKeys called CreateApiKey body label answer keyId label plain',
    { 'create-key': { id: '/data/keyId', key: '/data/plain' } },
  ],
  [
    'a path that says that text is written',
    'POST /ai:generateText called GenerateText body prompt* answer text',
    { ai: { path: '/ai:generateText', text: '/data/text' } },
  ],
  [
    'how long a list is, as a size',
    'GET /sites called ListSites answer sites[id,name] totalSize:integer',
    { 'list-sites': { list: '/data/sites', total: '/data/totalSize' } },
  ],
  [
    'a form that is sent to its own path',
    'POST /sites/{id}/forms/{slug} says Send a form body fields*:object answer id',
    { 'submit-form': { path: '/sites/{siteID}/forms/{form}' } },
  ],
  [
    'a comment that is posted',
    'POST /comment/post body siteId* text* author answer id',
    { 'create-comment': { body: { siteId: '{siteID}', text: '{text}', author: '{author}' } } },
  ],
  [
    'a name that begins with Post',
    'POST /sites called PostSites body name* answer id',
    { 'create-site': { id: '/data/id' } },
  ],
  [
    'subscriptions of webhooks, as their log says',
    `DELETE /dingyue/{did}
    GET /dingyue/{did}/tuisongjilu answer list[id,shijian,zhuangtai]`,
    { 'delete-subscription': { path: '/dingyue/{subscriptionID}' } },
  ],
  [
    'the version of the publish, and not that of a row',
    'POST /sites/{id}/publish answer version:integer publishVersion:integer',
    { 'publish-site': { version: '/data/publishVersion' } },
  ],
  [
    'the name that people gave, and not that of a template',
    'GET /sites/{id} answer template:object template.name title id contentTypeId',
    { 'get-site': { id: '/data/id' } },
  ],
  [
    'the identifier of content, and not that of its type',
    'POST /sites/{id}/contents body title* text answer contentTypeId id',
    { 'create-content': { id: '/data/id' } },
  ],
] as const)('finds %s', ([, text, expected]) => {
  expect(certainIn(learnt(text))).toMatchObject(expected);
});

test('takes the identifier of an owner for none of a site', () => {
  const field = (pointer: string) => ({ pointer, types: [], isRequired: true, texts: [], values: [] });
  expect(rankIdentifier(field('/owner/id'), 'site')).toBeUndefined();
  expect(rankIdentifier(field('/data/task/id'), 'site')).toBeUndefined();
  expect(rankIdentifier(field('/data/site/id'), 'site')).toBeDefined();
  expect(rankIdentifier(field('/data/list/*/id'), 'site')).toBeDefined();
});

test('doubts a deletion under another name than the creation', () => {
  const one = learnt(`POST /sites says Create a site body name* answer id
    GET /projects says List projects answer list[id,name]
    DELETE /projects/{projectId} says Delete a project and all its sites`);
  expect(Object.keys(certainIn(one))).toEqual(['create-site']);
  const two = learnt(`POST /sites/{id}/articles body title* answer id
    GET /sites/{id}/articles answer list[id,title]
    DELETE /sites/{id}/stories/{storyId}`);
  expect(Object.keys(certainIn(two))).toEqual(['create-content', 'list-contents']);
});

test('finds an abbreviated identifier, where there is one', () => {
  const line = (fields: string) => `POST /zhandian says 新建站点 body mingcheng* answer ${fields}`;
  expect(certainIn(learnt(line('zid mingcheng')))).toMatchObject({ 'create-site': { id: '/data/zid' } });
  expect(certainIn(learnt(line('zid mid mingcheng')))).toEqual({});
  expect(certainIn(learnt(line('pid mingcheng')))).toEqual({});
});

test('takes no part of a key for the key', () => {
  const descriptions = new Map([['/data/key', 'Masked, for display']]);
  const text = 'POST /api-keys body name* answer id key plain_key';
  const operations = sketchOperations(text).map((one) => ({
    ...one,
    answers: one.answers.map(({ status, body = [] }) => ({
      status,
      body: body.map((field) => ({ ...field, texts: [descriptions.get(field.pointer) ?? ''] })),
    })),
  }));
  const { operations: found } = learnOperations(operations, { given: {} });
  expect(found.find(({ gap }) => gap.id === 'operation.create-key')?.value).toMatchObject({
    key: '/data/plain_key',
  });
});

test.for([
  ['POST /site/delete body ids*:array', 'delete-site', { ids: ['{siteID}'] }],
  ['POST /article/publish body articleIds*:array', 'publish-content', { articleIds: ['{contentID}'] }],
] as const)('states a list of identifiers with the one: %s', ([text, name, body]) => {
  expect(certainIn(learnt(text))[name]).toMatchObject({ body });
});

const documents = `POST /sites/{siteId}/documents called createDocument says Create a document body title* markdown* answer documentId
  GET /sites/{siteId}/documents says List documents answer list[documentId,title,status]
  POST /documents/{documentId}/publish says Publish a document
  DELETE /documents/{documentId} called deleteDocument says Delete a document`;

test('takes documents with a title and a text for content where nothing else is', () => {
  expect(certainIn(learnt(documents))).toEqual({
    'create-content': {
      method: 'POST',
      path: '/sites/{siteID}/documents',
      body: { title: '{title}', markdown: '{text}' },
      id: '/data/documentId',
    },
    'list-contents': {
      method: 'GET',
      path: '/sites/{siteID}/documents',
      list: '/data/list',
      'item.id': '/documentId',
      'item.title': '/title',
      'item.state': '/status',
    },
    'publish-content': { method: 'POST', path: '/documents/{contentID}/publish' },
    'delete-content': { method: 'DELETE', path: '/documents/{contentID}' },
  });
});

test.for([
  documents.replace(' markdown*', ''),
  `${documents}\nGET /sites/{id}/articles answer list[id,title]`,
  documents.replaceAll('/documents', '/files'),
])('takes no other documents for content: %#', (text) => {
  expect(Object.keys(certainIn(learnt(text))).filter((name) => name !== 'list-contents')).toEqual([]);
});

test('names what a tag says as such, and reads no verb in it', () => {
  const learning = learnt(`POST /sites tags Publish body name* answer id
    POST /sites/{id}/publish tags Publish body note answer version:integer
    GET /sites tags Sites answer list[id,name] total:integer`);
  const one = (name: string) => learning.operations.find(({ gap }) => gap.id === `operation.${name}`);
  expect(one('create-site')).toMatchObject({
    isCertain: true,
    reasons: ['its path is about sites', 'its method is POST'],
  });
  expect(one('publish-site')).toMatchObject({
    isCertain: true,
    reasons: ['its path is about sites', 'its path says "publish"'],
  });
  expect(one('list-sites')).toMatchObject({
    isCertain: true,
    reasons: ['its path and its tag are about sites', 'its method is GET'],
  });
});

test('keeps what is given, and takes nothing that contradicts it', () => {
  const given = { 'operation.delete-site': { method: 'POST', path: '/keys/{siteID}' } };
  const learning = learnOperations(sketchOperations('POST /keys/{id} called deleteKey says Delete a key'), {
    given,
  });
  const ids = learning.operations.map(({ gap }) => gap.id);
  expect(ids).not.toContain('operation.delete-site');
  expect(certainIn(learning)).toEqual({});
});

test('takes long for no description of many operations that are alike', () => {
  const msFor = (count: number) => {
    const lines = Array.from(
      { length: count },
      (_, index) => `POST /sites/{id}/publish${index} body note answer version`,
    );
    const from = performance.now();
    learnt(lines.join('\n'));
    return performance.now() - from;
  };
  const rounds = Array.from({ length: 5 }, () => [msFor(100), msFor(1_000)] as const);
  const [few, many] = [Math.min(...rounds.map(([ms]) => ms)), Math.min(...rounds.map(([, ms]) => ms))];
  // Ten times as many take ten times as long, and a hundred times as long where each is compared with each.
  expect(many / few).toBeLessThan(50);
});

test.for([
  ['data*{payload*:object,handle}', { data: { payload: '{fields}' } }],
  ['data*{answers:object,consent:boolean}', { data: { answers: '{fields}' } }],
  ['form_fields*:object', { form_fields: '{fields}' }],
] as const)('puts the fields of a form into the object that holds nothing else: %s', ([members, body]) => {
  expect(
    certainIn(learnt(`POST /sites/{id}/forms/{form}/submit body ${members}`))['submit-form'],
  ).toMatchObject({
    body,
  });
});

test('is not sure of fields where what they go into has members of its own', () => {
  const learning = learnt('POST /sites/{id}/forms/{form}/submit body data*{email,consent:boolean}');
  expect(doubtsOf(learning, 'submit-form')).toEqual([
    '/data in its request has members of its own, and whether {fields} takes their place is not said',
  ]);
});

test.for([
  ['options*:object', ['/options is required, and what is in it is not said']],
  ['options*{theme,color}', []],
] as const)('is not sure of a required object of which nothing is said: %s', ([member, doubts]) => {
  const learning = learnt(`POST /sites called createSite says Create a site body name* ${member} answer id`);
  expect(doubtsOf(learning, 'create-site')).toEqual(doubts);
});

const namedKeys = `POST /access-keys says Create an access key for the API body name* answer id:integer accessKeyId secretKey
  GET /access-keys says List access keys of the API answer list[id,accessKeyId,name]`;

test.for([
  ['/access-keys/{id}', '/data/id', '/id'],
  ['/access-keys/{accessKeyId}', '/data/accessKeyId', '/accessKeyId'],
] as const)(
  'takes the member for the identifier that is called as the parameter of the path: %s',
  ([path, id, ofItem]) => {
    const found = certainIn(learnt(`${namedKeys}\nDELETE ${path} says Delete an access key of the API`));
    expect(found['create-key']).toMatchObject({ id });
    expect(found['list-keys']).toMatchObject({ 'item.id': ofItem });
  },
);

test('takes a document for whatever stands before its identifier, where contents have another name', () => {
  const found = certainIn(
    learnt(`POST /sites body name* answer id:integer documentId
      GET /sites answer list[id,documentId,name]
      GET /sites/{documentId} answer id:integer documentId name
      DELETE /sites/{documentId}
      POST /sites/{siteId}/articles body title* content answer id:integer documentId
      GET /sites/{siteId}/articles/{documentId} answer id:integer documentId title
      DELETE /sites/{siteId}/articles/{documentId}`),
  );
  expect(found).toMatchObject({
    'create-site': { id: '/data/documentId' },
    'list-sites': { 'item.id': '/documentId' },
    'get-site': { path: '/sites/{siteID}', id: '/data/documentId' },
    'delete-site': { path: '/sites/{siteID}' },
    'create-content': { id: '/data/documentId' },
    'get-content': { path: '/sites/{siteID}/articles/{contentID}', id: '/data/documentId' },
    'delete-content': { path: '/sites/{siteID}/articles/{contentID}' },
  });
});

test('takes a chat for what AI does only where nothing else is', () => {
  const chat = 'POST /sites/{siteId}/ai/chat says Chat with the assistant body prompt* answer text';
  expect(Object.keys(certainIn(learnt(chat)))).toEqual(['ai']);
  const both = learnt(`${chat}
    POST /sites/{siteId}/ai/article says Write an article by AI body prompt* answer text`);
  expect(Object.keys(certainIn(both)).filter((name) => name !== 'ai')).toEqual([]);
  expect(JSON.stringify(certainIn(both).ai ?? {})).not.toContain('chat');
});

const guestbook = `POST /sites/{siteId}/guestbook says 添加留言 body nickname content* answer id
  GET /sites/{siteId}/guestbook says 查询留言 answer list[id,content]`;

test('takes a guestbook for the comments only where nothing else is', () => {
  expect(Object.keys(certainIn(learnt(guestbook)))).toEqual(['create-comment', 'list-comments']);
  const both = learnt(`${guestbook}
    POST /open/sites/{siteId}/articles/{articleId}/comments says 访客评论文章 body content* answer id
    GET /sites/{siteId}/comments says 查询评论 answer list[id,content]`);
  expect(certainIn(both)).toMatchObject({ 'list-comments': { path: '/sites/{siteID}/comments' } });
  expect(Object.keys(certainIn(both))).not.toContain('create-comment');
});

test.for([
  ['input{text} output{text}', '/data/output/text'],
  ['prompt{content} result{content}', '/data/result/content'],
  ['text output{text}', '/data/output/text'],
  ['text usage{text}', '/data/text'],
  ['input{text}', undefined],
  ['first{text} second{text}', undefined],
] as const)('takes nothing that was asked for what AI has answered: %s', ([answer, text]) => {
  const found = certainIn(learnt(`POST /sites/{siteId}/ai/generate body prompt* answer ${answer}`));
  expect(found.ai).toEqual({
    method: 'POST',
    path: '/sites/{siteID}/ai/generate',
    body: { prompt: '{prompt}' },
    ...(text !== undefined && { text }),
  });
});

test('is not sure of keys that are listed and deleted elsewhere than they are created', () => {
  const learning = learnt(`POST /api_keys says Create an API key body name* answer id plain_key
    GET /access_tokens says List access tokens of the API answer list[id,name]
    DELETE /access_tokens/{id} says Delete an access token of the API`);
  const doubt = 'its path says "token", and what creates one says "key"';
  expect(Object.keys(certainIn(learning))).toEqual(['create-key']);
  expect(doubtsOf(learning, 'list-keys')).toEqual([doubt]);
  expect(doubtsOf(learning, 'delete-key')).toEqual([doubt]);
});

test.for(['POST:site.Create', 'post/sites', 'post-site', 'Post.sites', 'post /sites'])(
  'reads no post in a name that begins with the method: %s',
  (name) => {
    const operations = sketchOperations('POST /sites body name* answer id').map((one) => ({
      ...one,
      id: name,
    }));
    const learning = learnOperations(operations, { given: {} });
    expect(Object.keys(certainIn(learning))).toEqual(['create-site']);
  },
);

test('reads a post in such a name where the path is about posts', () => {
  const operations = sketchOperations('POST /sites/{id}/posts body title* content answer id');
  const learning = learnOperations(
    operations.map((one) => ({ ...one, id: 'post.create' })),
    { given: {} },
  );
  expect(learning.operations.find(({ gap }) => gap.id === 'operation.create-content')?.reasons).toContain(
    'its path and its name are about content',
  );
});

test.for([
  ['POST /sites/{id}/deploys called createSiteDeploy says Create a deploy tags Deploys', true],
  ['POST /sites/{id}/releases called createRelease says Publish the site', true],
  ['POST /sites/{id}/publications called createPublication says Creates a Publication resource', true],
  ['POST /sites/{id}/publish called SiteDeploymentController.publish tags SiteDeploymentController', true],
  ['POST /sites/{id}/releases called createContentRelease says Create a release', false],
  ['POST /sites/{id}/releases called createDraftRelease says Create a draft release', false],
  ['POST /sites/{id}/releases called listReleases says Create a release', false],
] as const)('takes what creates a release or a deploy for what publishes: %s', ([line, isCertain]) => {
  const found = certainIn(learnt(`${line} body note answer version:integer`));
  expect('publish-site' in found).toBe(isCertain);
});

test('reads nothing else in messages of webhooks', () => {
  const found = certainIn(
    learnt(`GET /tenant/sites/{siteId}/webhooks says 查询订阅 tags 消息订阅 answer list[id,url]
      DELETE /tenant/sites/{siteId}/webhooks/{id} says 删除消息订阅 tags 消息订阅
      GET /tenant/sites/{siteId}/webhooks/{id}/records says 消息推送记录 tags 消息订阅 answer list[id,event]`),
  );
  expect(Object.keys(found)).toEqual(['list-subscriptions', 'delete-subscription', 'list-deliveries']);
});

test.for(['form_id', 'formName', 'form_name', 'formKey', 'key', 'handle'])(
  'takes what stands after the forms of a path for the one that is meant: {%s}',
  (name) => {
    const found = certainIn(
      learnt(`POST /sites/{siteId}/forms/{${name}}/submit body fields*:object answer id`),
    );
    expect(found['submit-form']).toMatchObject({ path: '/sites/{siteID}/forms/{form}/submit' });
  },
);

test.for([
  ['titel* inhalt*', 'autor nachricht*', 'felder*:object', 'hinweis', 'quelle*'],
  ['titre* contenu*', 'auteur contenu*', 'champs*:object', 'note', 'source*'],
  ['título* contenido*', 'autor contenido*', 'campos*:object', 'nota', 'fuente*'],
] as const)(
  'knows members by German, French and Spanish names: %s',
  ([content, comment, form, note, source]) => {
    const found = certainIn(
      learnt(`POST /sites/{siteId}/posts body ${content} answer id
      POST /sites/{siteId}/comments body ${comment} answer id
      POST /sites/{siteId}/forms/{form}/submit body ${form} answer id
      POST /sites/{siteId}/publish body ${note} answer version:integer
      POST /sites/import body ${source} answer id`),
    );
    const values = (name: string) => Object.values((found[name] as { body: object }).body);
    expect(values('create-content')).toEqual(['{title}', '{text}']);
    expect(values('create-comment')).toEqual(['{author}', '{text}']);
    expect(values('submit-form')).toEqual(['{fields}']);
    expect(values('publish-site')).toEqual(['{note}']);
    expect(values('import-site')).toEqual(['{source}']);
  },
);

test.for(['nom', 'nombre'])('knows a name by %s', (name) => {
  expect(certainIn(learnt(`POST /sites body ${name}* answer id`))['create-site']).toMatchObject({
    body: { [name]: '{name}' },
  });
});

test('takes pages with a title and a text for content where nothing else is, and no numbers of pages', () => {
  const pages = `POST /sites/{siteId}/pages called postPage says Create a page tags pages body title* html* answer pageId
    GET /sites/{siteId}/pages called getPages says List pages, page by page query page:integer pageSize:integer answer list[pageId,title] pages:integer
    GET /sites/{siteId}/pages/{pageId} called getSitesSiteIdPagesPageId says Get a page answer pageId title html
    POST /sites/{siteId}/pages/{pageId}/publish called publishPage says Publish a page`;
  const found = certainIn(learnt(pages));
  expect(found).toMatchObject({
    'create-content': { body: { title: '{title}', html: '{text}' }, id: '/data/pageId' },
    'list-contents': {
      path: '/sites/{siteID}/pages',
      query: { page: '{page}', pageSize: '{page_size}' },
      'item.id': '/pageId',
    },
    'get-content': { path: '/sites/{siteID}/pages/{contentID}' },
    'publish-content': { path: '/sites/{siteID}/pages/{contentID}/publish' },
  });
  const both = `${pages}\nPOST /sites/{siteId}/items body title* html* answer id`;
  expect(Object.keys(certainIn(learnt(both)))).toEqual([]);
  const paged = 'POST /sites/page says 站点分页 body title text pageNo:integer answer list[id,name]';
  expect(Object.keys(certainIn(learnt(paged)))).not.toContain('create-content');
});

test('takes no size of pages for their number', () => {
  const [found] = sketchOperations('GET /sites says List sites query perPage:integer answer list[id,name]');
  const query = found?.query.map((field) => ({
    ...field,
    texts: ['The number of items to return per page'],
  }));
  const { operations } = learnOperations(found && query ? [{ ...found, query }] : [], { given: {} });
  const listing = operations.find(({ gap }) => gap.id === 'operation.list-sites');
  expect(listing?.value).not.toHaveProperty('query.perPage', '{page}');
});

test('takes documents for content where the only entries are those of forms', () => {
  const text = `${documents}\nGET /sites/{siteId}/entries says List form entries answer list[id,email]`;
  expect(certainIn(learnt(text))).toMatchObject({
    'create-content': { path: '/sites/{siteID}/documents' },
    'publish-content': { path: '/documents/{contentID}/publish' },
  });
});

const createdThings = [
  ['create-site', 'POST /sites body name*', 'site_id', 'name'],
  ['create-content', 'POST /sites/{siteId}/contents body title* text*', 'content_id', 'title'],
  ['create-key', 'POST /keys body name*', 'key_id', 'name apiKey'],
  [
    'submit-form',
    'POST /sites/{siteId}/forms/{form}/submissions body fields:object',
    'submission_id',
    'createdAt',
  ],
  ['create-comment', 'POST /sites/{siteId}/comments body author* text*', 'comment_id', 'author'],
] as const;

const otherHolders = [
  'template',
  'published_deploy',
  'replaces',
  'translation_of',
  'copied_from',
  'previous',
  'origin',
];

test.for(createdThings)(
  'takes the identifier in an answer before that of what else it names: %s',
  ([gap, call, id, fields]) => {
    for (const holder of otherHolders)
      expect(
        certainIn(learnt(`${call} answer ${holder}{${id}:integer} id:integer ${fields}`))[gap],
      ).toMatchObject({
        id: '/data/id',
      });
  },
);

test.for(createdThings)(
  'is not certain of an identifier that something else holds: %s',
  ([gap, call, id, fields]) => {
    for (const holder of otherHolders) {
      const found = certainIn(learnt(`${call} answer ${holder}{${id}:integer} ${fields}`))[gap];
      expect(Object(found).id).toBeUndefined();
    }
  },
);

test.for(['site', 'result', 'item', 'siteInfo'])(
  'takes the identifier in what wraps a new site: %s',
  (wrapper) => {
    const text = `POST /sites body name* answer ${wrapper}{id:integer,name,template:integer}`;
    expect(certainIn(learnt(text))['create-site']).toMatchObject({ id: `/data/${wrapper}/id` });
  },
);

test('takes the identifiers of items before those of what else they name', () => {
  const text = 'GET /sites answer list[id,name,template_id] total:integer';
  expect(certainIn(learnt(text))['list-sites']).toMatchObject({ 'item.id': '/id' });
});

function learnt(text: string): Learning {
  const learning = learnOperations(sketchOperations(text), { given: {} });
  const values = learning.operations
    .filter(({ isCertain }) => isCertain)
    .map(({ gap, value }) => [gap.id, value]);
  makeProfile(Object.fromEntries(values), { name: 'learnt', source: 'learnt' });
  return learning;
}

/** What is certain, by the names of the gaps. */
function certainIn({ operations }: Learning): Record<string, unknown> {
  const certain = operations.filter(({ isCertain }) => isCertain);
  return Object.fromEntries(
    certain.map(({ gap, value }) => [gap.id.slice('operation.'.length), isObject(value) ? value : undefined]),
  );
}

/** What speaks against the operation of a gap. */
function doubtsOf({ operations }: Learning, name: string): readonly string[] | undefined {
  return operations.find(({ gap }) => gap.id === `operation.${name}`)?.doubts;
}
