// The command line as users install it: its start, a run of the suite, and the memory of a mock that is used for long.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mockEnvironment } from '../../options/mock-environment.ts';
import { installCheckout } from '../../testing/pack-checkout.ts';
import { makeCall, openPool, send, subscription } from '../calls.ts';
import { measureRounds, median, type Row } from '../row.ts';
import { startPrism } from '../servers/prism.ts';

/** The installed command. */
let command: Promise<string> | undefined;

function sitepub(): Promise<string> {
  command ??= install();
  return command;
}

async function install(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  return join(await installCheckout(folder, folder), 'scripts/sitepub.mjs');
}

/** What `sitepub mock --json` prints. */
interface Ready {
  base_url: string;
  control_url: string;
  tenants: { users: { username: string; password: string }[]; api_key: string; site_ids: number[] }[];
}

/** Starts `sitepub mock`, and calls back when it is ready. */
async function withMock<Result>(use: (ready: Ready, pid: number) => Promise<Result>): Promise<Result> {
  const child = spawn(process.execPath, [await sitepub(), 'mock', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return await use(JSON.parse(line.toString()) as Ready, child.pid ?? 0);
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

/** Beside Prism's. */
export const start: Row = {
  id: 'start',
  async measure({ isQuick }) {
    await sitepub();
    const pairs = await measureRounds(
      isQuick ? 1 : 9,
      async () => [await secondsToAnswer(), await secondsOfPrism()] as const,
    );
    const own = median(pairs.map(([seconds]) => seconds));
    const others = median(pairs.map(([, seconds]) => seconds));
    const mock = `${own.toFixed(2)} s`;
    const value = median(pairs.map(([one, other]) => one / other));
    return [
      { mock, value: own, unit: 's', most: 0.15 },
      { mock, beside: `Prism: ${others.toFixed(2)} s`, value, unit: 'times', most: 0.15 },
    ];
  },
};

/** From the start of the process. */
function secondsToAnswer(): Promise<number> {
  const startedAt = performance.now();
  return withMock(async ({ control_url: url }) => {
    const { status } = await fetch(`${url}/health`);
    if (status !== 200) throw new Error(`GET ${url}/health is answered with ${status}`);
    return (performance.now() - startedAt) / 1000;
  });
}

async function secondsOfPrism(): Promise<number> {
  const startedAt = performance.now();
  const prism = await startPrism();
  const seconds = (performance.now() - startedAt) / 1000;
  await prism.stop();
  return seconds;
}

/** The tier `safe` of the suite as a command, against a new mock. */
export const suite: Row = {
  id: 'suite',
  async measure({ isQuick }) {
    await sitepub();
    const times = await measureRounds(isQuick ? 1 : 5, async () => {
      const startedAt = performance.now();
      await runSuite();
      return (performance.now() - startedAt) / 1000;
    });
    return [{ mock: '', value: median(times), unit: 's', most: 1.5 }];
  },
};

function runSuite(): Promise<void> {
  return withMock(async ({ base_url: baseUrl, control_url: controlUrl, tenants }) => {
    const access = tenants.map(({ users, api_key: apiKey, site_ids: ids }) => ({
      ...{ users, apiKey },
      sites: ids.map((id) => ({ id })),
    }));
    const env = mockEnvironment({ baseUrl, controlUrl, controlToken: undefined, tenants: access });
    const args = [await sitepub(), 'test', '--profile', 'default'];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...env },
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`\`sitepub test\` against the mock ended with exit code ${code}`);
  });
}

/** Resident memory of `sitepub mock` under calls of many kinds. */
export const memory: Row = {
  id: 'memory',
  measure: ({ isQuick }) =>
    withMock(async ({ base_url: baseUrl, control_url: controlUrl, tenants }, pid) => {
      const amounts = isQuick ? [2_000, 6_000] : [100_000, 500_000];
      const pool = openPool(new URL(baseUrl).origin);
      const sites = tenants.flatMap(({ users, api_key: apiKey, site_ids: ids }) =>
        ids.map((siteID) => ({ ...(users[0] ?? { username: '', password: '' }), apiKey, siteID })),
      );
      const hook = {
        ...subscription,
        url: `${controlUrl}/inbox/bench`,
        events: ['form.submit', 'publish.complete'],
      };
      for (const { siteID, apiKey } of sites)
        await send(pool, makeCall('createSubscription', { siteID, ...hook }, apiKey));
      const readings: number[] = [];
      for (let requests = 0; readings.length < amounts.length; ) {
        const counts = await Promise.all(sites.map((site) => useSite(pool, site, `Number ${requests}`)));
        requests += counts.reduce((sum, count) => sum + count, 0);
        // Moving the clock resets all limits.
        const headers = { 'content-type': 'application/json' };
        const clock = await fetch(`${controlUrl}/clock`, {
          method: 'POST',
          headers,
          body: '{"advance":"PT1M"}',
        });
        await clock.text();
        if (requests >= (amounts[readings.length] ?? 0)) readings.push(residentMegabytes(pid));
      }
      await pool.close();
      const [early = 0, late = 0] = readings;
      const [first, last] = amounts.map((amount) => amount.toLocaleString('en'));
      return [
        { mock: `after ${first} requests`, value: early, unit: 'MB', most: 120 },
        {
          mock: `${late} MB after ${last}`,
          beside: `${early} MB after ${first}`,
          value: late / early,
          unit: 'times',
          most: 1.05,
        },
      ];
    }),
};

function residentMegabytes(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024);
}

type Site = { username: string; password: string; apiKey: string; siteID: number };

/** One call of each kind after the other, some of which are refused or cause pushes. Returns how many. */
async function useSite(pool: ReturnType<typeof openPool>, site: Site, name: string): Promise<number> {
  let count = 0;
  const call = (id: Parameters<typeof makeCall>[0], values: object = {}, isRefused = false) => {
    count++;
    return send(pool, makeCall(id, { ...site, ...values }, site.apiKey), isRefused);
  };
  const text = `${name}: 三月十五日起，每天限量五十杯。 Notes of plum and black tea.`;
  await call('login');
  await call('login', { password: 'wrong' }, true);
  const { id: contentID } = await call('createContent', { title: name, text });
  await call('updateContent', { contentID, title: name, text: `${text}${text}` });
  await call('publishContent', { contentID });
  const { id: subscriptionID } = await call('createSubscription', subscription);
  await call('listSubscriptions');
  await call('deleteSubscription', { subscriptionID });
  await call('createSubscription', { ...subscription, url: 'no URL' }, true);
  await call('getSite', { siteID: 999_999_999 }, true);
  await call('listSites');
  await call('listKeys');
  await call('publishSite', { note: name });
  await call('submitForm', { form: 'reservation', fields: { name, text } });
  await call('createComment', { author: name, text });
  await call('askAi', { prompt: text });
  return count;
}
