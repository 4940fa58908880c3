import { test as base, expect } from '@playwright/test';
import { startBackend } from '../backend/backend.ts';
import { openWorld, type World } from './world.ts';

interface Fixtures {
  /** Logs in on the page as the world's first user. */
  logIn(): Promise<void>;
}

/** Each worker has its own world. Each test begins with the initial world and its own backend. */
export const test = base.extend<Fixtures, { world: World }>({
  world: [
    async ({ browserName }, use, { parallelIndex }) => {
      const world = await openWorld(`${browserName}-${process.pid}-${parallelIndex}`);
      await use(world);
      await world.end();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ world }, use) => {
    await world.control('POST', '/reset');
    const backend = await startBackend({ baseUrl: world.baseUrl, apiKey: world.apiKey });
    await backend.subscribe(world.siteID);
    await use(backend.url);
    await backend.close();
  },
  logIn: async ({ page, world }, use) => {
    await use(async () => {
      await page.goto('/');
      await page.getByLabel('User').fill(world.user.username);
      await page.getByLabel('Password').fill(world.user.password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page.getByRole('button', { name: /^Publish/ })).toHaveCount(2);
    });
  },
});

export { expect };
