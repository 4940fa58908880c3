// The command line as a user runs it, in a separate process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const sitepub = fileURLToPath(new URL('../sitepub.mjs', import.meta.url));

/** What `sitepub mock --json` prints. */
export interface Ready {
  base_url: string;
  control_url: string;
  tenants: {
    users: { username: string; password: string }[];
    api_key: string;
    site_ids: number[];
  }[];
}

export interface MockCommand {
  ready: Ready;
  stop(): Promise<void>;
}

/** Starts `sitepub mock --json`, and waits until it is ready; by default that of this checkout. */
export async function startMockCommand(command = sitepub): Promise<MockCommand> {
  const { match, stop } = await startAndRead([command, 'mock', '--port', '0', '--json'], /^\{.*\}$/m);
  return { ready: JSON.parse(match) as Ready, stop };
}

/** Starts a process of Node, and waits until it prints text that matches the pattern. */
export async function startAndRead(
  args: readonly string[],
  pattern: RegExp,
): Promise<{ match: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  return {
    match: await waitForOutput(child, pattern),
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** Runs the command line to its end. Returns the exit code. */
export async function runSitepub(args: readonly string[], env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, [sitepub, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, 'exit');
  return Number(code);
}

function waitForOutput(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [match] = pattern.exec(text) ?? [];
      if (match !== undefined) resolve(match);
    });
    child.once('exit', (code) =>
      reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}: ${text}`)),
    );
  });
}
