// Shared by the tests of the command line: a mock in this process, and the command in another process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type StartedMock, startMock } from '../mock/start.ts';

const command = fileURLToPath(new URL('sitepub.mjs', import.meta.url));

/** A mock in this process, closed when its scope ends. */
export async function openMock(profile = 'default') {
  const mock = await startMock({ profile });
  return { ...mock, [Symbol.asyncDispose]: () => mock.close() };
}

/** The environment variables with the credentials of the demo world. */
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

/** All requests of a mock's journal, whose pages have a hundred. */
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

/** The command line, with a temporary folder for its files. */
export function openCommand() {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-cli-'));
  /** Without the settings of the user, and with a separate record of logins unless TMPDIR is given. */
  const start = (args: readonly string[], environment: Record<string, string> = {}) => {
    const others = Object.entries(process.env).filter(
      ([name]) => !/^(SITEPUB|GITHUB)_|^(https?|no)_proxy$/i.test(name),
    );
    const env = {
      ...Object.fromEntries(others),
      NO_COLOR: '1',
      TMPDIR: mkdtempSync(join(folder, 'tmp-')),
      ...environment,
    };
    return spawn(process.execPath, [command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  /** Runs the command to its end. */
  const run = async (args: readonly string[], environment: Record<string, string> = {}) => {
    const child = start(args, environment);
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { status: status as number | null, stdout, stderr };
  };
  return { folder, start, run, remove: () => rmSync(folder, { recursive: true }) };
}
