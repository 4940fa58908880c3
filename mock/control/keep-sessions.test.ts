import { expect, test } from 'vitest';
import { openControl } from '../testing/open-control.ts';

test.each(['', '&tenant=1', '&tenant=2'])(
  'a reset that keeps sessions leaves who is logged in so (%s)',
  async (tenant) => {
    const { call, perform, mei, zoe, harbourKey, service } = openControl();
    const tokens = [await perform('login', mei), await perform('login', zoe)].map(({ values }) =>
      String(values.token),
    );
    await perform('deleteSite', { siteID: 102 }, harbourKey);
    expect((await call(`POST /reset?sessions=keep${tenant}`)).status).toBe(200);
    for (const token of tokens) expect((await perform('listSites', {}, token)).status).toBe(200);
    expect(service.world.sites.has(102)).toBe(tenant !== '&tenant=2');
  },
);

test('no login after it draws a token that is kept', async () => {
  const { call, perform, mei, tom } = openControl();
  const { values } = await perform('login', mei);
  await call('POST /reset?sessions=keep');
  expect((await perform('login', tom)).values.token).not.toBe(values.token);
});

test('a kept session is valid for as long as it was, and an expired one is not any more', async () => {
  const { call, perform, mei, service } = openControl();
  await perform('login', mei);
  await call('POST /clock', { advance: 'PT1M' });
  const left = () =>
    [...service.world.sessions.values()].map(({ expiresAt }) => expiresAt - service.clock.now());
  const before = left();
  await call('POST /reset?sessions=keep');
  expect(left()).toEqual(before);
  await call('POST /tokens/expire', {});
  await call('POST /reset?sessions=keep');
  expect(left()).toEqual([0]);
});

test('the session of a user that is no more ends', async () => {
  const { call, perform, mei, service } = openControl();
  const { values } = await perform('login', mei);
  service.world.users.set('ada', { tenantId: 1, salt: '', passwordDigest: '' });
  const { sessions } = service.world;
  for (const [key, session] of [...sessions]) sessions.set(key, { ...session, username: 'ada' });
  await call('POST /reset?sessions=keep');
  expect((await perform('listSites', {}, String(values.token))).status).toBe(401);
});

test('any other word than keep and end is refused', async () => {
  const answer = await openControl().call('POST /reset?sessions=kept');
  expect([answer.status, answer.body.error]).toEqual([
    400,
    expect.stringContaining('"sessions" in the query: expected'),
  ]);
});
