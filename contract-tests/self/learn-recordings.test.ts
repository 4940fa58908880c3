// @module-tag nightly
// A person uses a console in Chromium, against the mock under each packaged profile, and it is saved as HAR.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import { gapValue, loadProfile, type Profile, parseProfile } from '../../openapi/profile.ts';
import { gaps } from '../../openapi/registers.ts';
import { withPageAt } from '../../scripts/pictures/open-page.ts';
import { openCommand } from '../../scripts/testing.ts';
import { judgeLearning } from '../learn/testing/judge-learning.ts';
import { recordHar } from '../learn/testing/record-har.ts';
import { serveConsolePage } from '../learn/testing/serve-console-page.ts';
import { type Typed, useConsole, wordsTyped } from '../learn/testing/use-console.ts';

const profiles = ['default', 'always-200-camel-case', 'nested-201-uuid', 'flags-and-cursors'];
const desk = { width: 1280, scheme: 'light' } as const;

test.for(profiles)(
  'a recording of the browser shows all operations of %s to the command, and no secret',
  (name) => expectRecorded(loadProfile(name), 'at its own origin'),
);

test('the API alone is learnt where the pages of the console are of another origin', () =>
  expectRecorded(loadProfile('default'), 'elsewhere'));

async function expectRecorded(profile: Profile, where: 'at its own origin' | 'elsewhere'): Promise<void> {
  const { typed, api, siteId } = await openDeployment(profile);
  const apiBase = where === 'elsewhere' ? { apiBase: api } : {};
  const served = await closing(serveConsolePage({ api, profile, siteId, ...apiBase }));
  const { folder, run, remove } = openCommand();
  onTestFinished(remove);
  const [file, out] = [join(folder, 'console.har'), join(folder, 'learnt.yaml')];
  await withPageAt({ url: 'about:blank', ...desk }, async (page) => {
    const recording = await recordHar(await page.createCDPSession());
    await page.goto(served.origin);
    await useConsole(page, typed);
    writeFileSync(file, JSON.stringify(await recording.finish()));
  });
  const recorded = readFileSync(file, 'utf8');
  const { status, stdout, stderr } = await run(['discover', '--no-calls', '--har', file, '--out', out]);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(stderr).toContain(
    `calls of ${where === 'elsewhere' ? api : `${served.origin}/api/v1`}, which answers as the service does`,
  );
  // Deletions wait for a call, as comments.
  const confirmed = readFileSync(out, 'utf8').replaceAll(/^# (?=operation\.delete-)/gm, '');
  expectLearnt(parseProfile(confirmed, out), profile);
  expectNoSecret([readFileSync(out, 'utf8'), stdout, stderr].join('\n'), { typed, recorded });
}

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
