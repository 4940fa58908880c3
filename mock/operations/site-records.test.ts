import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileWith } from '../testing/open-mock.ts';

const seededAt = '2026-01-01T00:00:00.000Z';

test('lists the contents of a site, drafts too, page by page', async () => {
  const { perform, harbourKey } = openMock();
  const { values, mismatches } = await perform('listContents', { siteID: 102 }, harbourKey);
  expect(mismatches).toEqual([]);
  expect(values).toMatchObject({
    list: [
      { id: 5, title: 'Single origin: Yunnan Baoshan', state: 'published', updated_at: seededAt },
      { id: 6, title: 'Wholesale price list', state: 'draft' },
    ],
    total: 2,
  });
  const { values: second } = await perform(
    'listContents',
    { siteID: 102, page: 2, page_size: 1 },
    harbourKey,
  );
  expect(second).toMatchObject({ list: [{ id: 6 }], total: 2 });
});

test('reads one content, as it was last updated', async () => {
  const { perform, harbourKey } = openMock();
  const call = { siteID: 102, contentID: 6 };
  await perform('updateContent', { ...call, title: 'Prices', text: 'Ask.' }, harbourKey);
  const { values, mismatches } = await perform('getContent', call, harbourKey);
  expect([values, mismatches]).toEqual([
    { id: 6, title: 'Prices', text: 'Ask.', state: 'draft', updated_at: '2026-01-02T03:04:05.000Z' },
    [],
  ]);
  expect((await perform('getContent', { siteID: 101, contentID: 6 }, harbourKey)).envelope.code).toBe(40402);
});

test('lists submissions and comments', async () => {
  const { perform, harbourKey } = openMock();
  await perform('submitForm', { siteID: 102, form: 'contact', fields: { 姓名: '李雷' } });
  const submissions = await perform('listSubmissions', { siteID: 102 }, harbourKey);
  expect(submissions.values).toMatchObject({
    list: [
      { id: 3, form: 'wholesale', at: seededAt },
      { id: 5, form: 'contact', fields: { 姓名: '李雷' } },
    ],
    total: 2,
  });
  const comments = await perform('listComments', { siteID: 102 }, harbourKey);
  expect(comments.values).toMatchObject({
    list: [{ id: 3, author: 'Ana', text: 'Do you ship to Lisbon?' }],
    total: 1,
  });
  expect([submissions.mismatches, comments.mismatches]).toEqual([[], []]);
});

test('says how a publish goes, and how it ended', async () => {
  const { perform, harbourKey, service } = openMock(profileWith({ 'publish.duration': 5 }));
  const start = service.clock.now();
  const states = async () => {
    const answers = [8, 9, 10].map((version) => perform('getPublish', { siteID: 101, version }, harbourKey));
    return (await Promise.all(answers)).map(({ values, envelope }) => [
      envelope.code,
      values.state,
      values.pages,
    ]);
  };
  await perform('publishSite', { siteID: 101, note: 'a' }, harbourKey);
  await perform('failPublish', { siteID: 101, note: 'b' }, harbourKey);
  expect(await states()).toEqual([
    [0, 'running', undefined],
    [0, 'running', undefined],
    [40402, undefined, undefined],
  ]);
  await service.scheduler.advance(start + 5000);
  expect((await states()).slice(0, 2)).toEqual([
    [0, 'complete', 4],
    [0, 'failed', undefined],
  ]);
});

test.each(['listContents', 'listSubmissions', 'listComments', 'getContent', 'getPublish'] as const)(
  '%s shows nothing of another tenant, and needs a token',
  async (id) => {
    const { perform, harbourKey } = openMock();
    const call = { siteID: 201, contentID: 7, version: 1 };
    expect((await perform(id, call, harbourKey)).envelope.code).toBe(40400);
    expect((await perform(id, call)).envelope.code).toBe(40100);
  },
);

test('a deployment whose profile describes no such calls has none', async () => {
  const { service } = openMock(loadProfile('nested-201-uuid'));
  expect(
    service.operations.filter((id) => /Contents|getContent|Submissions|Comments|getPublish/.test(id)),
  ).toEqual([]);
});
