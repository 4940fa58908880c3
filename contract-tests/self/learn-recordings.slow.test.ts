// A person uses a console in Chromium, against the mock under each packaged profile: once saved as HAR, once through the recording proxy.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import { loadProfile, type Profile } from '../../openapi/profile.ts';
import { chromium, withoutChromium, withPageAt } from '../../scripts/pictures/open-page.ts';
import { clickHints } from '../learn/proxy/click-hints.ts';
import { createLiveRecording } from '../learn/proxy/live-recording.ts';
import { startRecordingProxy } from '../learn/proxy/recording-proxy.ts';
import { digestOfRecording } from '../learn/recording/digest-of-recording.ts';
import { type LearntRecording, learnHar } from '../learn/recording/learn-recording.ts';
import { learntOf, offeredTo } from '../learn/testing/compare-operations.ts';
import { recordHar } from '../learn/testing/record-har.ts';
import { serveConsolePage } from '../learn/testing/serve-console-page.ts';
import { type Typed, useConsole, wordsTyped } from '../learn/testing/use-console.ts';

const profiles = ['default', 'always-200-camel-case', 'nested-201-uuid', 'flags-and-cursors'];
const desk = { width: 1280, scheme: 'light' } as const;

test('says that these tests need Chromium', ({ skip }) => {
  skip(chromium === undefined, withoutChromium);
});

test.skipIf(chromium === undefined).for(profiles)(
  'a recording saved by the browser shows all operations of %s, and no secret',
  async (name) => {
    const profile = loadProfile(name);
    const { typed, api, siteId } = await openDeployment(profile);
    const served = await closing(serveConsolePage({ api, profile, siteId }));
    const folder = mkdtempSync(join(tmpdir(), 'sitepub-har-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'console.har');
    await withPageAt({ url: 'about:blank', ...desk }, async (page) => {
      const recording = await recordHar(await page.createCDPSession());
      await page.goto(served.origin);
      await useConsole(page, typed);
      writeFileSync(file, JSON.stringify(await recording.finish()));
    });
    const learnt = learnHar(file, { name: 'console.har' });
    expect(learnt.baseUrl).toBe(`${served.origin}/api/v1`);
    expect(learntOf(learnt.operations)).toEqual(offeredTo(profile));
    expectNoSecret(learnt, { typed, recorded: readFileSync(file, 'utf8') });
  },
);

test.skipIf(chromium === undefined).for(profiles)(
  'the recording proxy shows all operations of %s while they are used, and no secret',
  async (name) => {
    const profile = loadProfile(name);
    const { typed, api, siteId } = await openDeployment(profile);
    const served = await closing(serveConsolePage({ api, profile, siteId }));
    const recorded: string[] = [];
    const told: LearntRecording[] = [];
    const live = createLiveRecording({ onLearnt: (learnt) => told.push(learnt), waitMs: 20 });
    const proxy = await closing(
      startRecordingProxy({
        baseUrl: `${served.origin}/api/v1`,
        port: 0,
        onExchange: (exchange) => {
          recorded.push(JSON.stringify(exchange));
          live.add(exchange);
        },
        onProblem: (problem) => told.push({ baseUrl: '', operations: [], notes: [problem] }),
      }),
    );
    await withPageAt({ url: proxy.origin, ...desk }, async (page) => {
      await useConsole(page, typed);
    });
    live.stop();
    const learnt = live.learnt();
    expect(learntOf(learnt?.operations ?? [])).toEqual(offeredTo(profile));
    expect(told.length).toBeGreaterThan(3);
    expectNoSecret(told, { typed, recorded: recorded.join('\n') });
    if (learnt) expectNoSecret(learnt, { typed, recorded: recorded.join('\n') });
  },
);

test.skipIf(chromium === undefined)(
  'the API alone is recorded where the pages of the console are of another origin',
  async () => {
    const profile = loadProfile('default');
    const { typed, api, siteId } = await openDeployment(profile);
    const live = createLiveRecording({ onLearnt: () => {} });
    const proxy = await closing(startRecordingProxy({ baseUrl: api, port: 0, onExchange: live.add }));
    const apiBase = `${proxy.origin}/api/v1`;
    const served = await closing(serveConsolePage({ api, profile, siteId, apiBase }));
    await withPageAt({ url: served.origin, ...desk }, async (page) => {
      await useConsole(page, typed);
    });
    live.stop();
    expect(learntOf(live.learnt()?.operations ?? [])).toEqual(offeredTo(profile));
  },
);

async function openDeployment(profile: Profile) {
  const mock = await closing(startMock({ profile, cors: true }));
  const [tenant] = mock.tenants;
  const [user] = tenant?.users ?? [];
  if (!tenant || !user) throw new Error('the world has no user');
  return { typed: wordsTyped(user), api: mock.baseUrl, siteId: Number(tenant.sites[0]?.id) };
}

async function closing<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  onTestFinished(() => started.close());
  return started;
}

interface Run {
  typed: Typed;
  /** The whole recording. */
  recorded: string;
}

/** Neither what was typed nor any token or key that the recording holds. */
function expectNoSecret(learnt: LearntRecording | LearntRecording[], { typed, recorded }: Run): void {
  const all = [learnt].flat();
  const digest = all.flatMap(({ operations }) => digestOfRecording(operations));
  const shown = [JSON.stringify(learnt), ...digest, ...clickHints(['operation.create-site'])].join('\n');
  const tokens = recorded.match(/\b(st|sp)_[\w-]{8,}|\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g) ?? [];
  const words = Object.values(typed).flatMap((one) => Object.values(one));
  const secrets = new Set([...tokens, ...words.filter((word) => word !== 'custom' && word !== 'contact')]);
  expect(tokens.length).toBeGreaterThan(2);
  expect(words.filter((word) => recorded.includes(word)).length).toBeGreaterThan(4);
  expect([...secrets].filter((secret) => shown.includes(secret))).toEqual([]);
}
