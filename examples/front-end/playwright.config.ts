import { defineConfig } from '@playwright/test';

// The Chromium of the system; without CHROMIUM, Playwright's own (`npx playwright install chromium`).
const { CHROMIUM: executablePath } = process.env;

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  use: { launchOptions: { ...(executablePath && { executablePath }), args: ['--no-sandbox'] } },
});
