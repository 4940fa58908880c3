// `sitepub learn --proxy` as a process, for tests.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { openCommand } from '../../testing.ts';

interface Starting {
  start: ReturnType<typeof openCommand>['start'];
  baseUrl: string;
}

/** Waits until it listens, on any free port. `end` sends a signal, twice as where npm passes it on, and gives what the process has said. */
export async function startLearnProxy(args: readonly string[], { start, baseUrl }: Starting) {
  const child = start(['learn', '--proxy', '0', '--base-url', baseUrl, ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const shown = { stdout: '', stderr: '' };
  child.stdout?.on('data', (piece) => {
    shown.stdout += piece;
  });
  child.stderr?.on('data', (piece) => {
    shown.stderr += piece;
  });
  const closed = once(child, 'close');
  await expect.poll(() => shown.stderr, { timeout: 60_000 }).toContain('to click:');
  const origin = /open (http:\S+),/.exec(shown.stderr)?.[1] ?? '';
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await sleep(5);
    child.kill(signal);
    const [code] = (await closed) as [number | null];
    return { code, ...shown };
  };
  return { origin, shown, end };
}
