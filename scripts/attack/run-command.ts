// One command against one deployment, in a process of its own: how it ended, when, and with how much memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bounds, brokenBy, type Command, type Outcome } from './broken-by.ts';
import type { Deployment } from './deployments/serve.ts';

const cli = fileURLToPath(new URL('../sitepub.mjs', import.meta.url));
const hook = new URL('usage-hook.mjs', import.meta.url).href;

export interface Attempt {
  command: Command;
  /** Sends SIGTERM a moment after the deployment was reached. */
  isInterrupted: boolean;
}

/** Runs a command against a deployment, and holds it to the bounds. */
export async function attack(deployment: Deployment, attempt: Attempt): Promise<Outcome> {
  const [first, ...earlier] = signalsAfterMs;
  let outcome = await attackOnce(deployment, attempt, first);
  // One that was about to end by itself has its own exit code: it is tried again with an earlier signal.
  for (const signalAfterMs of earlier) {
    const wasEnding = attempt.isInterrupted && [0, 1, 2, 3].includes(outcome.status ?? -1);
    if (wasEnding) outcome = await attackOnce(deployment, attempt, signalAfterMs);
  }
  return outcome;
}

async function attackOnce(
  deployment: Deployment,
  { command, isInterrupted }: Attempt,
  signalAfterMs: number,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-attack-'));
  const started = await deployment.start();
  try {
    const baseUrl = `${started.scheme}://${deployment.isNear ? '127.0.0.1' : anyAddress}:${started.port}/api/v1`;
    const run = startCommand({ command, baseUrl, folder }, deployment.environment);
    const ended = await waitForEnd(
      run,
      isInterrupted ? { visited: started.visited, signalAfterMs } : undefined,
    );
    const usage = join(folder, 'usage');
    const megabytes = existsSync(usage) ? Number(readFileSync(usage, 'utf8')) / 1_024 : undefined;
    const seen = { deployment: deployment.id, command, isInterrupted, ...ended, megabytes };
    return { ...seen, broken: brokenBy(seen, join(folder, 'report.json')) };
  } finally {
    await started.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** It leads to this machine, and is no address that a receiver is expected to be reached from. */
const anyAddress = '0.0.0.0';

interface Place {
  command: Command;
  baseUrl: string;
  folder: string;
}

function startCommand({ command, baseUrl, folder }: Place, environment: Deployment['environment']) {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(SITEPUB|GITHUB|NODE_OPTIONS)|proxy$/i.test(name),
  );
  return spawn(
    process.execPath,
    ['--import', hook, cli, command, ...argumentsOf({ command, baseUrl, folder })],
    {
      env: {
        ...Object.fromEntries(others),
        NO_COLOR: '1',
        TMPDIR: temporary,
        ATTACK_USAGE_FILE: join(folder, 'usage'),
        SITEPUB_USERNAME: 'mei',
        SITEPUB_PASSWORD: 'a-pass-of-mei',
        SITEPUB_SITE_ID: '7',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

/** Short waits: what a deployment makes a command wait for is what is tried, not how long a person would. */
function argumentsOf({ command, baseUrl, folder }: Place): string[] {
  const short = ['--request-timeout', '3s'];
  const place = ['--base-url', baseUrl, '--profile', 'default', '--max-wait', '0s'];
  const report = join(folder, 'report.json');
  if (command === 'test')
    return [...place, ...short, '--arrival-timeout', '1s', '--report', `json=${report}`];
  if (command === 'discover') return [...place, ...short, '--create', '--out', join(folder, 'profile.yaml')];
  return [...short, '--journal', writeJournal(folder, baseUrl), '--profile', 'default'];
}

/** What an earlier run has left: with an identifier, with one that leads elsewhere, and without any. */
function writeJournal(folder: string, baseUrl: string): string {
  const profile = { name: 'default', stated: {} };
  const resource = (entry: number, what: string, target: string) => ({
    entry,
    what,
    site: 7,
    target,
    tenant: 'main',
  });
  const lines = [
    { sitepub_journal: 1, run: 'a1b2', base_url: baseUrl, profile, started_at: '2026-01-01T00:00:00.000Z' },
    resource(1, 'subscription', 'http://127.0.0.1:9/1'),
    { entry: 1, created: 5 },
    resource(2, 'subscription', 'http://127.0.0.1:9/2'),
    { entry: 2, created: '..' },
    resource(3, 'subscription', 'http://127.0.0.1:9/3'),
    resource(4, 'API key', 'a key'),
  ];
  const file = join(folder, 'journal.jsonl');
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return file;
}

type Running = ReturnType<typeof startCommand>;
type Ended = Pick<Outcome, 'seconds' | 'secondsAfterSignal' | 'status'> & { printed: string };

async function waitForEnd(child: Running, signal: Signal | undefined): Promise<Ended> {
  const startedAt = performance.now();
  const ended = once(child, 'exit');
  let printed = '';
  const listen = (data: Buffer) => {
    printed = (printed + data).slice(-2_000);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  const timer = setTimeout(() => child.kill('SIGKILL'), (bounds.seconds + 5) * 1_000);
  const signalledAt = signal && (await interrupt(child, signal, ended));
  const [status] = (await ended) as [number | null];
  clearTimeout(timer);
  const secondsSince = (since: number) => (performance.now() - since) / 1_000;
  return {
    printed,
    status,
    seconds: secondsSince(startedAt),
    secondsAfterSignal: signalledAt === undefined ? undefined : secondsSince(signalledAt),
  };
}

/** For so long the command goes on after it has reached the deployment, in milliseconds; a run loads its checks in that time. */
const signalsAfterMs = [2_500, 500, 0] as const;

/** When a signal is sent: so long after the deployment was reached. */
interface Signal {
  visited: Promise<void>;
  signalAfterMs: number;
}

/** When the signal was sent; undefined where the command had ended by then. */
async function interrupt(
  child: Running,
  { visited, signalAfterMs }: Signal,
  ended: Promise<unknown>,
): Promise<number | undefined> {
  await Promise.race([visited, ended]);
  await Promise.race([sleep(signalAfterMs), ended]);
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  child.kill('SIGTERM');
  return performance.now();
}
