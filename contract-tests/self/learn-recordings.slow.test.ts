// A person uses a console in Chromium, against the mock under each packaged profile: once saved as HAR, once through the recording proxy.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { chromium, withoutChromium, withPageAt } from '../../scripts/pictures/open-page.ts';
import { digestOfRecording } from '../learn/recording/digest-of-recording.ts';
import { learnHar } from '../learn/recording/learn-recording.ts';
import { recordHar } from '../learn/testing/record-har.ts';
import { serveConsolePage } from '../learn/testing/serve-console-page.ts';
import { useConsole, wordsTyped } from '../learn/testing/use-console.ts';

const profiles = ['default', 'always-200-camel-case', 'nested-201-uuid', 'flags-and-cursors'];
const desk = { width: 1280, scheme: 'light' } as const;

test('says that these tests need Chromium', ({ skip }) => {
  skip(chromium === undefined, withoutChromium);
});

test.skipIf(chromium === undefined).for(profiles)('a HAR of a console under %s', async (name) => {
  const profile = loadProfile(name);
  const mock = await startMock({ profile });
  const [tenant] = mock.tenants;
  const [user] = tenant?.users ?? [];
  if (!tenant || !user) throw new Error('the world has no user');
  const served = await serveConsolePage({ api: mock.baseUrl, profile, siteId: Number(tenant.sites[0]?.id) });
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-har-'));
  onTestFinished(async () => {
    await served.close();
    await mock.close();
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'console.har');
  await withPageAt({ url: 'about:blank', ...desk }, async (page) => {
    const recording = await recordHar(await page.createCDPSession());
    await page.goto(served.origin);
    await useConsole(page, wordsTyped(user));
    writeFileSync(file, JSON.stringify(await recording.finish()));
  });
  const learnt = learnHar(file, { name: 'console.har' });
  console.log(JSON.stringify(learnt, null, 1).slice(0, 60000));
  console.log(digestOfRecording(learnt.operations).join('\n'), learnt.notes);
  expect(learnt.operations.length).toBeGreaterThan(5);
});
