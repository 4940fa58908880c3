import { expect, test } from './fixtures.ts';

test('shows the sites of the logged-in user, and announces a published one', async ({
  page,
  world,
  logIn,
}) => {
  await logIn();
  await page.getByRole('button', { name: 'Publish 海港咖啡馆' }).click();
  await world.control('POST', '/drain');
  await expect(page.getByRole('status')).toHaveText('海港咖啡馆: published');
});

test('the browser sees neither a token nor the key', async ({ page, context, world, logIn }) => {
  const seen: string[] = [];
  page.on('response', async (response) => {
    const request = response.request();
    seen.push(JSON.stringify([await request.allHeaders(), await response.allHeaders(), request.postData()]));
    if (!request.url().endsWith('/news')) seen.push(await response.text());
  });
  await logIn();
  const published = page.waitForResponse(/publish$/);
  await page.getByRole('button', { name: 'Publish Harbour Roastery' }).click();
  await published;
  seen.push(JSON.stringify([await context.storageState(), await page.content()]));
  expect(seen.length).toBeGreaterThan(8);
  expect(seen.filter((text) => /\bst_\w|\bsp_\w|bearer/i.test(text) || text.includes(world.apiKey))).toEqual(
    [],
  );
});

test('continues after the session token has expired', async ({ page, world, logIn }) => {
  await logIn();
  await world.control('POST', '/tokens/expire', {});
  const published = page.waitForResponse((response) => response.url().endsWith('/publish') && response.ok());
  await page.getByRole('button', { name: 'Publish Harbour Roastery' }).click();
  await published;
  const { requests } = await world.control('GET', '/requests');
  expect((requests as { operation: string }[]).map(({ operation }) => operation)).toContain('refresh');
});

test('asks for a login when the session can be renewed no longer', async ({ page, world, logIn }) => {
  await logIn();
  await expect(page.getByLabel('User')).toBeHidden();
  await world.control('POST', '/clock', { advance: 'P30D' });
  await page.getByRole('button', { name: 'Publish Harbour Roastery' }).click();
  await expect(page.getByRole('alert')).toHaveText('please log in');
  await expect(page.getByLabel('User')).toBeVisible();
});

test('shows an error of the service with its trace_id', async ({ page, world, logIn }) => {
  await logIn();
  await world.control('POST', '/overrides', { operation: 'publishSite', code: 42900, times: 1 });
  await page.getByRole('button', { name: 'Publish Harbour Roastery' }).click();
  await expect(page.getByRole('alert')).toHaveText(/\(trace_id \w{16}\)$/);
});

test('hears of what happens without the page', async ({ page, world, logIn }) => {
  await logIn();
  await world.control('POST', '/events', { event: 'publish.failed', site_id: world.siteID });
  await world.control('POST', '/drain');
  await expect(page.getByRole('status')).toHaveText('海港咖啡馆: publishing failed');
});
