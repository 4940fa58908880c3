import { describe, expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileWith } from '../testing/open-mock.ts';
import type { PushMessage } from '../webhooks/render.ts';

/** A mock whose pushes are recorded and not sent. */
function open(profile = loadProfile('default')) {
  const mock = openMock(profile);
  const pushes: PushMessage[] = [];
  mock.service.dispatcher.emit = (push) => {
    pushes.push(push);
    return [];
  };
  return { ...mock, pushes };
}

describe('content', () => {
  test('lives from draft to deletion, and each step but the first emits an event', async () => {
    const { perform, harbourKey, service, pushes } = open();
    const id = (await perform('createContent', { siteID: 101, title: '菜单', text: 'a' }, harbourKey)).values
      .id;
    const stored = () => service.world.contents.get(Number(id));
    const at = { siteID: 101, contentID: id };
    expect([stored()?.state, pushes]).toEqual(['draft', []]);
    await perform('publishContent', at, harbourKey);
    await perform('updateContent', { ...at, title: '新菜单', text: 'b' }, harbourKey);
    expect(stored()).toMatchObject({ state: 'published', title: '新菜单', text: 'b' });
    await perform('deleteContent', at, harbourKey);
    expect(stored()).toBeUndefined();
    expect(pushes.map(({ event, data }) => [event, data])).toEqual([
      ['content.publish', { content_id: id, title: '菜单' }],
      ['content.update', { content_id: id, title: '新菜单' }],
      ['content.delete', { content_id: id, title: '新菜单' }],
    ]);
  });

  test.each(['999', '01', '1e2', 'x', '__proto__'])('there is no content %s', async (contentID) => {
    const { perform, harbourKey } = open();
    const { envelope } = await perform('publishContent', { siteID: 101, contentID }, harbourKey);
    expect([envelope.code, envelope.message]).toEqual([40402, `there is no content "${contentID}" here`]);
  });

  test('of another site of the tenant is not found', async () => {
    const { perform, harbourKey } = open();
    const id = (await perform('createContent', { siteID: 101, title: 'a', text: 'b' }, harbourKey)).values.id;
    const { envelope } = await perform('deleteContent', { siteID: 102, contentID: id }, harbourKey);
    expect(envelope.code).toBe(40402);
  });
});

test('visitors submit forms and comment without logging in, and both emit an event', async () => {
  const { perform, service, pushes } = open();
  const form = await perform('submitForm', { siteID: 101, form: 'contact', fields: { name: '李雷' } });
  const comment = await perform('createComment', { siteID: 201, author: 'Ana', text: 'Schön!' });
  expect(pushes.map(({ event, site, data }) => [event, site.id, data])).toEqual([
    ['form.submit', 101, { submission_id: form.values.id, form: 'contact', fields: { name: '李雷' } }],
    ['comment.created', 201, { comment_id: comment.values.id, author: 'Ana', text: 'Schön!' }],
  ]);
  expect(service.world.submissions.get(Number(form.values.id))?.fields).toEqual({ name: '李雷' });
  expect((await perform('createComment', { siteID: 9, author: 'a', text: 'b' })).envelope.code).toBe(40400);
});

describe('publishing', () => {
  test('is answered with the version, and ends in publish.complete with message, pages and version', async () => {
    const { perform, harbourKey, service, pushes } = open();
    const { version: before } = (await perform('getSite', { siteID: 102 }, harbourKey)).values;
    const { version } = (await perform('publishSite', { siteID: 102, note: 'a' }, harbourKey)).values;
    expect(version).toBe(Number(before) + 1);
    // Where a store keeps the world, it ends in the turn of the call.
    if (!service.store) expect(pushes).toEqual([]);
    await service.scheduler.settle();
    const published = [...service.world.contents.values()].filter(
      ({ siteId, state }) => siteId === 102 && state === 'published',
    );
    expect(pushes.map(({ event, data }) => [event, data])).toEqual([
      ['publish.complete', { message: expect.any(String), pages: published.length + 1, version }],
    ]);
    expect((await perform('getSite', { siteID: 102 }, harbourKey)).values.version).toBe(version);
  });

  test('that fails ends in publish.failed, and the published version stays', async () => {
    const { perform, harbourKey, service, pushes } = open();
    const { version: before } = (await perform('getSite', { siteID: 101 }, harbourKey)).values;
    await perform('failPublish', { siteID: 101, note: 'a' }, harbourKey);
    await service.scheduler.settle();
    expect(pushes.map(({ event, data }) => [event, data])).toEqual([
      ['publish.failed', { message: expect.stringContaining('failed') }],
    ]);
    const { version: after } = (await perform('getSite', { siteID: 101 }, harbourKey)).values;
    const { version: next } = (await perform('publishSite', { siteID: 101, note: 'b' }, harbourKey)).values;
    expect([after, next]).toEqual([before, Number(before) + 2]);
  });

  test('has ended when it is answered, if the profile says so', async () => {
    const mock = open(profileWith({ 'publish.mode': 'synchronous' }));
    await mock.perform('publishSite', { siteID: 101, note: 'a' }, mock.harbourKey);
    expect(mock.pushes.map(({ event }) => event)).toEqual(['publish.complete']);
  });
});

describe('API keys', () => {
  test('are listed without their plaintext, and another tenant’s can’t be deleted', async () => {
    const { perform, harbourKey, blumenKey } = open();
    const { key, id } = (await perform('createKey', { name: 'CI' }, harbourKey)).values;
    const { envelope, values } = await perform('listKeys', {}, harbourKey);
    expect([values.total, JSON.stringify(envelope).includes(String(key).slice(3))]).toEqual([2, false]);
    expect(key).toMatch(/^sp_\w{32}$/);
    expect((await perform('deleteKey', { keyID: id }, blumenKey)).envelope.code).toBe(40402);
  });
});

test('importing creates a site with the given name and source', async () => {
  const { perform, harbourKey, service } = open();
  const { id } = (await perform('importSite', { name: '旧站', source: 'https://old.example/' }, harbourKey))
    .values;
  expect(service.world.sites.get(Number(id))).toMatchObject({ name: '旧站', source: 'https://old.example/' });
});

test('the AI answers the same prompt with the same text', async () => {
  const { perform, harbourKey } = open();
  const texts = [];
  for (const prompt of ['a', 'a', 'b'])
    texts.push((await perform('askAi', { siteID: 101, prompt }, harbourKey)).values.text);
  expect([texts[0] === texts[1], texts[0] === texts[2]]).toEqual([true, false]);
});
