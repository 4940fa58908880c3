// The installed command: its start, a run of the suite, and the memory of a mock after many requests.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { installCheckout } from '../testing/pack-checkout.ts';
import { makeCall, send, subscription } from './calls.ts';
import { measureRounds, median, type Row } from './row.ts';
import { startPrism } from './servers/prism.ts';

let command: Promise<string> | undefined;

function sitepub(): Promise<string> {
  command ??= install();
  return command;
}

async function install(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  return join(await installCheckout(folder, folder), 'cli/sitepub.mjs');
}

interface Ready {
  base_url: string;
  control_url: string;
  tenants: { users: { username: string; password: string }[]; api_key: string; site_ids: number[] }[];
}

async function openMock() {
  const child = spawn(process.execPath, [await sitepub(), 'mock', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  return {
    ...(JSON.parse(String(line)) as Ready),
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** Compared with Prism. */
export const start: Row = async (isQuick) => {
  await sitepub();
  const pairs = await measureRounds(
    isQuick ? 1 : 9,
    async () => [await secondsToOpen(openAnsweringMock), await secondsToOpen(startPrism)] as const,
  );
  const own = median(pairs.map(([seconds]) => seconds));
  const others = median(pairs.map(([, seconds]) => seconds));
  const value = median(pairs.map(([one, other]) => one / other));
  const mock = `${own.toFixed(2)} s`;
  return [
    { mock, value: own, unit: 's', most: 0.15 },
    { mock, comparedWith: `Prism: ${others.toFixed(2)} s`, value, unit: 'times', most: 0.15 },
  ];
};

async function openAnsweringMock() {
  const mock = await openMock();
  const { status } = await fetch(`${mock.control_url}/health`);
  if (status !== 200) throw new Error(`GET ${mock.control_url}/health is answered with ${status}`);
  return mock;
}

async function secondsToOpen(open: () => Promise<AsyncDisposable>): Promise<number> {
  const startedAt = performance.now();
  const server = await open();
  const seconds = secondsSince(startedAt);
  await server[Symbol.asyncDispose]();
  return seconds;
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}

/** The safe tier against a new mock. */
export const suite: Row = async (isQuick) => {
  const run = [process.execPath, await sitepub(), 'test', '--profile', 'default'];
  const times = await measureRounds(isQuick ? 1 : 5, async () => {
    const startedAt = performance.now();
    await promisify(execFile)(process.execPath, [await sitepub(), 'exec', '--', ...run]);
    return secondsSince(startedAt);
  });
  return [{ mock: '', value: median(times), unit: 's', most: 1.5 }];
};

/** Resident memory of `sitepub mock` under many kinds of calls. */
export const memory: Row = async (isQuick) => {
  const amounts = isQuick ? [2_000, 6_000] : [100_000, 500_000];
  await using mock = await openMock();
  const pool = new Pool(new URL(mock.base_url).origin, { connections: 32 });
  const sites = mock.tenants.flatMap(({ users, api_key: apiKey, site_ids: ids }) =>
    ids.map((siteID) => ({ ...users[0], apiKey, siteID })),
  );
  const inbox = { url: `${mock.control_url}/inbox/bench`, events: ['form.submit', 'publish.complete'] };
  for (const site of sites)
    await send(pool, makeCall('createSubscription', { ...site, ...subscription, ...inbox }, site.apiKey));
  const readings: number[] = [];
  for (let requests = 0; readings.length < amounts.length; ) {
    const counts = await Promise.all(sites.map((site) => useSite(pool, site, `Number ${requests}`)));
    requests += counts.reduce((sum, count) => sum + count, 0);
    // Moving the clock resets all limits.
    await fetch(`${mock.control_url}/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"advance":"PT1M"}',
    }).then((answer) => answer.text());
    if (requests >= (amounts[readings.length] ?? 0)) readings.push(residentMegabytes(mock.pid));
  }
  await pool.close();
  const [early = 0, late = 0] = readings;
  const [first, last] = amounts.map((amount) => amount.toLocaleString('en'));
  const ratio = { mock: `${late} MB after ${last}`, comparedWith: `${early} MB after ${first}` };
  return [
    { mock: `after ${first} requests`, value: early, unit: 'MB', most: 120 },
    { ...ratio, value: late / early, unit: 'times', most: 1.05 },
  ];
};

function residentMegabytes(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024);
}

/** Makes one call of each kind. Some are refused, some cause pushes. Returns the number of calls. */
async function useSite(pool: Pool, site: { apiKey: string; siteID: number }, name: string): Promise<number> {
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
