// Helpers for tests of the command line: a mock in this process, and the command in another process.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { vi } from 'vitest';
import { startProxy, type Tamper } from '../contract-tests/self/tampering-proxy.ts';
import { type StartedMock, type StartOptions, startMock } from '../mock/start.ts';
import { loadProfile, statedValues } from '../openapi/profile.ts';
import { runCommandLine } from './program/program.ts';

const command = fileURLToPath(new URL('sitepub.mjs', import.meta.url));

export async function openMock(options: StartOptions = {}) {
  const mock = await startMock(options);
  return { ...mock, [Symbol.asyncDispose]: () => mock.close() };
}

/** A mock behind a proxy that can change requests and answers. */
export async function openBehindProxy(tamper: Tamper, options: StartOptions = {}) {
  const mock = await startMock(options);
  const { origin, pathname } = new URL(mock.baseUrl);
  const proxy = await startProxy((path) => origin + path, tamper);
  return {
    ...mock,
    baseUrl: proxy.origin + pathname,
    [Symbol.asyncDispose]: async () => {
      await proxy.close();
      await mock.close();
    },
  };
}

/** Environment variables with credentials of the demo world. */
export function credentialsOf({
  tenants: [main, other],
}: Pick<StartedMock, 'tenants'>): Record<string, string> {
  return {
    SITEPUB_USERNAME: String(main?.users[0]?.username),
    SITEPUB_PASSWORD: String(main?.users[0]?.password),
    SITEPUB_SITE_ID: String(main?.sites[0]?.id),
    SITEPUB_API_KEY: String(main?.apiKey),
    SITEPUB_OTHER_USERNAME: String(other?.users[0]?.username),
    SITEPUB_OTHER_PASSWORD: String(other?.users[0]?.password),
    SITEPUB_OTHER_SITE_ID: String(other?.sites[0]?.id),
  };
}

/** All requests in the log of a mock. */
export function requestsOf({ control }: Pick<StartedMock, 'control'>) {
  const first = control.requests();
  const all = [...first.requests];
  for (let { next } = first; next !== undefined; ) {
    const page = control.requests({ cursor: next });
    all.push(...page.requests);
    next = page.next;
  }
  return all;
}

/** The number of resources of each kind in the world of a mock. */
export async function countsOf({ control }: Pick<StartedMock, 'control'>): Promise<Record<string, number>> {
  const kinds = ['sites', 'subscriptions', 'contents', 'comments', 'submissions', 'publications', 'apiKeys'];
  return Object.fromEntries(
    Object.entries(await control.world())
      .filter(([kind]) => kinds.includes(kind))
      .map(([kind, all]) => [kind, Object.keys(Object(all)).length]),
  );
}

/** Writes the journal of a run. `stated`: values of its profile. */
export function writeJournal(
  file: string,
  baseUrl: string,
  lines: readonly object[],
  stated: object = statedValues(loadProfile('default')),
): string {
  const head = {
    sitepub_journal: 1,
    run: 'abcdef01',
    base_url: baseUrl,
    profile: { name: 'default', stated },
  };
  writeFileSync(file, [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** Sends JSON, by default with POST. */
export function sendJson(url: string, body: object = {}, { token = '', method = 'POST' } = {}) {
  const access = token && { Authorization: `Bearer ${token}` };
  const headers = { ...access, 'Content-Type': 'application/json' };
  return fetch(url, { method, headers, body: JSON.stringify(body) });
}

/** Each call returns the next line; undefined at the end. */
export function linesOf(stream: NodeJS.ReadableStream): () => Promise<string | undefined> {
  const lines = createInterface(stream)[Symbol.asyncIterator]();
  return async () => (await lines.next()).value;
}

interface Ready {
  base_url: string;
  control_url: string;
  listens_at?: string;
  certificate_file?: string;
  tenants: { users: { username: string; password: string }[]; api_key: string }[];
}

/** The command line, with a folder for its files in the temporary folder of the test run. */
export function openCommand() {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-cli-'));
  /** Without settings of the user. Logins are recorded separately unless TMPDIR is given. */
  const settings = (environment: Record<string, string>): NodeJS.ProcessEnv => {
    const others = Object.entries(process.env).filter(
      ([name]) => !/^(SITEPUB|GITHUB)_|^(https?|no)_proxy$/i.test(name),
    );
    return {
      ...Object.fromEntries(others),
      NO_COLOR: '1',
      TMPDIR: mkdtempSync(join(folder, 'tmp-')),
      ...environment,
    };
  };
  const start = (args: readonly string[], environment: Record<string, string> = {}, cwd = '.') =>
    spawn(process.execPath, [command, ...args], {
      cwd,
      env: settings(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const run = async (args: readonly string[], environment: Record<string, string> = {}, cwd = '.') => {
    return outcomeOf(start(args, environment, cwd));
  };
  /** Starts `sitepub mock --json` with the temporary folder `here`. */
  const startMockProcess = async (args: readonly string[] = [], environment: Record<string, string> = {}) => {
    const here = { TMPDIR: mkdtempSync(join(folder, 'here-')), ...environment };
    const child = start(['mock', '--json', '--port', '0', ...args], here);
    const line = String(await linesOf(child.stdout)());
    return {
      ...{ child, here, line, ready: JSON.parse(line) as Ready },
      async end(signal: NodeJS.Signals) {
        const isRunning = child.exitCode === null && child.signalCode === null;
        if (isRunning && child.kill(signal)) await once(child, 'exit');
        return child.exitCode;
      },
      async [Symbol.asyncDispose]() {
        await this.end('SIGKILL');
      },
    };
  };
  /** Runs the command in this process, a hundred times faster than a new one. Only for commands that end by themselves, one at a time; TMPDIR has no effect. */
  const runHere = (args: readonly string[], environment: Record<string, string> = {}) =>
    captureRun(args, settings(environment));
  return {
    folder,
    settings,
    start,
    startMockProcess,
    run,
    runHere,
  };
}

/** All that a command prints, and its status. */
export async function outcomeOf(child: ChildProcessByStdio<null, Readable, Readable>) {
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { status: status as number | null, stdout, stderr };
}

async function captureRun(args: readonly string[], env: NodeJS.ProcessEnv) {
  const before = process.env;
  const emitters: readonly EventEmitter[] = [process, process.stdout, process.stderr];
  const listeners = emitters.map((emitter) => events.map((event) => emitter.listeners(event)));
  const [stdout, stderr] = [capture('stdout'), capture('stderr')];
  process.env = env;
  try {
    const status = await runCommandLine(args);
    return { status, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.env = before;
    for (const spy of [...stdout.spies, ...stderr.spies]) spy.mockRestore();
    for (const [at, emitter] of emitters.entries())
      for (const [index, event] of events.entries())
        for (const listener of emitter.listeners(event))
          if (!listeners[at]?.[index]?.includes(listener)) emitter.off(event, listener as () => void);
  }
}

/** Listeners that commands leave until their process ends. */
const events = ['SIGINT', 'SIGTERM', 'error'] as const;

function capture(stream: 'stdout' | 'stderr') {
  let written = '';
  const write = (text: unknown, ...[encoding, done = encoding]: unknown[]) => {
    written += String(text);
    if (typeof done === 'function') done();
    return true;
  };
  const log = (...values: unknown[]) => void write(`${format(...values)}\n`);
  const spies = [
    vi.spyOn(process[stream], 'write').mockImplementation(write),
    vi.spyOn(console, stream === 'stdout' ? 'log' : 'error').mockImplementation(log),
  ];
  return { text: () => written, spies };
}
