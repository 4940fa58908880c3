// @module-tag nightly
// Hostile deployments: each command ends within bounds, reports, and leaks neither secrets nor terminal commands.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type expect, test } from 'vitest';
import { secretForms } from '../redaction/testing/secret-forms.ts';
import { endless } from './hostile-deployments/endless.ts';
import { large } from './hostile-deployments/large.ts';
import { oddValues } from './hostile-deployments/odd-values.ts';
import type { Deployment } from './hostile-deployments/serve.ts';

const cli = fileURLToPath(new URL('../../cli/sitepub.mjs', import.meta.url));
/** Generous, because several commands run at the same time on a busy machine. */
const bounds = { seconds: 240, megabytes: 800, secondsAfterSignal: 5 };
const commands = ['test', 'discover', 'cleanup'] as const;
const rows = [...endless, ...large, ...oddValues].flatMap((deployment) =>
  commands.map((command) => ({ ...deployment, command })),
);
type Row = (typeof rows)[number];

test.concurrent.for(rows)('$command against $id, which $does', async (row, { expect }) => {
  const ended = await runAgainst(row);
  expect(ended.status).toBeOneOf([0, 1, 2, 3]);
  expect(ended.seconds).toBeLessThan(bounds.seconds);
  expectDecent(ended, row, expect);
});

const interrupted = [
  ['test', 'dripped-body'],
  ['discover', 'dripped-headers'],
  ['cleanup', 'hints-for-ever'],
  ['test', 'sessions-only'],
] as const;

test.concurrent.for(interrupted)('SIGTERM ends %s against %s', async ([command, id], { expect }) => {
  const row = rows.find((one) => one.command === command && one.id === id) as Row;
  const ended = await runAgainst(row, 500);
  expect(ended.status).toBe(130);
  expect(ended.secondsAfterSignal).toBeLessThan(bounds.secondsAfterSignal);
  expectDecent(ended, row, expect);
});

type Ended = Awaited<ReturnType<typeof runAgainst>>;

/** Expectations for every run. */
function expectDecent({ printed, written, megabytes }: Ended, row: Row, { soft }: typeof expect): void {
  soft(megabytes).toBeGreaterThan(10);
  soft(megabytes).toBeLessThan(bounds.megabytes);
  if (row.command === 'test') soft(JSON.parse(written['report.json'] ?? 'null')).toHaveProperty('schema');
  soft(printed).not.toMatch(/^\s+at .*:\d+:\d+\)?$|unsettled top-level await/m);
  const secret = row.environment?.SITEPUB_PASSWORD ?? password;
  for (const text of [printed, ...Object.values(written)]) {
    soft(text).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e]|^\s*::\w|##\[/mu);
    soft(secretForms.flatMap(([name, write]) => (text.includes(write(secret)) ? [name] : []))).toEqual([]);
  }
}

const password = 'a-pass-of-mei';

/** Runs a command in its own process. `signalAfterMs`: sends SIGTERM this long after the first connection. */
async function runAgainst(row: Row, signalAfterMs?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-hostile-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const deployment = await row.start();
  opened.defer(deployment.close);
  const startedAt = performance.now();
  const child = startCommand(row, deployment, folder);
  const ended = once(child, 'close') as Promise<[number | null]>;
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  let megabytes = 0;
  const look = setInterval(() => {
    megabytes = mostMegabytes(child.pid) ?? megabytes;
  }, 50);
  opened.defer(() => clearInterval(look));
  const secondsSince = (since: number) => (performance.now() - since) / 1_000;
  let signalledAt = Number.NaN;
  if (signalAfterMs !== undefined) {
    await Promise.race([deployment.visited.then(() => sleep(signalAfterMs)), ended]);
    signalledAt = performance.now();
    child.kill('SIGTERM');
  }
  const [status] = await ended;
  return {
    ...{ status, printed, megabytes, written: filesOf(folder) },
    ...{ seconds: secondsSince(startedAt), secondsAfterSignal: secondsSince(signalledAt) },
  };
}

function startCommand(row: Row, { scheme, port }: Awaited<ReturnType<Deployment['start']>>, folder: string) {
  // 0.0.0.0 reaches this machine, but commands start no receiver for it.
  const baseUrl = `${scheme}://${row.isNear ? '127.0.0.1' : '0.0.0.0'}:${port}/api/v1`;
  const own = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB)|proxy$/i.test(name));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const env = {
    ...{ ...Object.fromEntries(own), NO_COLOR: '1', TMPDIR: temporary },
    ...{ SITEPUB_USERNAME: 'mei', SITEPUB_PASSWORD: password, SITEPUB_SITE_ID: '7', ...row.environment },
  };
  return spawn(process.execPath, [cli, row.command, ...argumentsOf(row.command, baseUrl, folder)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: (bounds.seconds + 5) * 1_000,
    killSignal: 'SIGKILL',
  });
}

/** Short waits, because only waits that the deployment causes matter here. */
function argumentsOf(command: Row['command'], baseUrl: string, folder: string): string[] {
  const short = ['--request-timeout', '3s', '--profile', 'default'];
  const place = [...short, '--base-url', baseUrl, '--max-wait', '0s'];
  if (command === 'test')
    return [...place, '--arrival-timeout', '1s', '--report', `json=${join(folder, 'report.json')}`];
  if (command === 'discover') return [...place, '--create', '--out', join(folder, 'profile.yaml')];
  const journal = join(folder, 'tmp/journal.jsonl');
  writeFileSync(journal, journalOf(baseUrl));
  return [journal, ...short];
}

/** Leftovers with an id, with an id that changes the path, and without an id. */
function journalOf(baseUrl: string): string {
  const profile = { name: 'default', stated: {} };
  const run = { sitepub_journal: 1, run: 'a1b2', base_url: baseUrl, profile };
  const left = (entry: number, what: string, target: string) => ({
    ...{ entry, what, target, site: 7, tenant: 'main' },
  });
  const lines = [
    { ...run, started_at: '2026-01-01T00:00:00.000Z' },
    left(1, 'subscription', 'http://127.0.0.1:9/1'),
    { entry: 1, created: 5 },
    left(2, 'subscription', 'http://127.0.0.1:9/2'),
    { entry: 2, created: '..' },
    left(3, 'subscription', 'http://127.0.0.1:9/3'),
    left(4, 'API key', 'a key'),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Peak memory of a process on Linux; undefined once it has ended. */
function mostMegabytes(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
  } catch {
    return undefined;
  }
}

function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
