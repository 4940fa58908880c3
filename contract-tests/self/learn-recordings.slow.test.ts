// A person uses a console in Chromium, against the mock under each packaged profile: saved as HAR, and through the recording proxy, at once.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import { gapValue, loadProfile, type Profile } from '../../openapi/profile.ts';
import { gaps } from '../../openapi/registers.ts';
import { startLearnProxy } from '../../scripts/commands/testing/start-learn-proxy.ts';
import { chromium, withPageAt } from '../../scripts/pictures/open-page.ts';
import { openCommand } from '../../scripts/testing.ts';
import { createLiveRecording } from '../learn/proxy/live-recording.ts';
import { startRecordingProxy } from '../learn/proxy/recording-proxy.ts';
import { learntOf, offeredTo } from '../learn/testing/compare-operations.ts';
import { judgeLearning } from '../learn/testing/judge-learning.ts';
import { recordHar } from '../learn/testing/record-har.ts';
import { serveConsolePage } from '../learn/testing/serve-console-page.ts';
import { type Typed, useConsole, wordsTyped } from '../learn/testing/use-console.ts';

const profiles = ['default', 'always-200-camel-case', 'nested-201-uuid', 'flags-and-cursors'];
const desk = { width: 1280, scheme: 'light' } as const;

test.skipIf(chromium === undefined).for(profiles)(
  'a recording of the browser and one of the proxy show all operations of %s to the command, and no secret (needs Chromium)',
  async (name) => {
    const profile = loadProfile(name);
    const { typed, api, siteId } = await openDeployment(profile);
    const served = await closing(serveConsolePage({ api, profile, siteId }));
    const { folder, start, run, remove } = openCommand();
    onTestFinished(remove);
    const [file, bySide, byFile] = ['console.har', 'proxy.yaml', 'har.yaml'].map((one) => join(folder, one));
    const baseUrl = `${served.origin}/api/v1`;
    const proxy = await startLearnProxy(['--out', `${bySide}`], { start, baseUrl });
    await withPageAt({ url: 'about:blank', ...desk }, async (page) => {
      const recording = await recordHar(await page.createCDPSession());
      await page.goto(proxy.origin);
      await useConsole(page, typed);
      writeFileSync(`${file}`, JSON.stringify(await recording.finish()));
    });
    const recorded = readFileSync(`${file}`, 'utf8');
    const ended = await proxy.end('SIGINT');
    const { status, ...read } = await run(['learn', '--har', `${file}`, '--out', `${byFile}`]);
    expect([ended.code, status]).toEqual([0, 0]);
    expect(read.stderr).toContain(`calls of ${proxy.origin}/api/v1, which answers as the service does`);
    for (const [out, said] of [
      [`${bySide}`, ended],
      [`${byFile}`, read],
    ] as const) {
      expectLearnt(loadProfile(out), profile);
      expectNoSecret([readFileSync(out, 'utf8'), said.stdout, said.stderr].join('\n'), { typed, recorded });
    }
  },
);

test.skipIf(chromium === undefined)(
  'the API alone is recorded where the pages of the console are of another origin (needs Chromium)',
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

/** Each operation that the deployment has, as certain and as it is called, and no other. Who may call it besides is not to be seen. */
function expectLearnt(learnt: Profile, profile: Profile): void {
  const operations = gaps.filter(({ kind }) => kind === 'operation').map(({ id }) => id);
  const expected = operations.map((id) => {
    const value = gapValue(profile, id);
    const isOffered = value !== 'unknown' && value !== 'not-offered';
    return [id, { value: isOffered ? value : undefined, known: 'whole', untold: ['auth'] }] as const;
  });
  const stated = operations.filter((id) => learnt.stated.has(id));
  const values = stated.map((id) => [id, { value: gapValue(learnt, id), isCertain: true }] as const);
  const judged = judgeLearning(Object.fromEntries(values), Object.fromEntries(expected));
  const isRight = (verdict: string) => verdict === 'right' || verdict === 'not-offered';
  expect(judged.values.filter(({ verdict }) => !isRight(verdict))).toEqual([]);
}

/** Neither what was typed nor any token or key that the recording holds. */
function expectNoSecret(shown: string, { typed, recorded }: Run): void {
  const tokens = recorded.match(/\b(st|sp)_[\w-]{8,}|\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g) ?? [];
  const words = Object.values(typed).flatMap((one) => Object.values(one));
  const secrets = new Set([...tokens, ...words.filter((word) => word !== 'custom' && word !== 'contact')]);
  expect(tokens.length).toBeGreaterThan(2);
  expect(words.filter((word) => recorded.includes(word)).length).toBeGreaterThan(4);
  expect([...secrets].filter((secret) => shown.includes(secret))).toEqual([]);
}
