import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Runs a process that sends itself signals, and that is blocked for `work` ms after the first one. */
async function pressesTaken(work: number): Promise<string> {
  const program = `
    import { setTimeout as wait } from 'node:timers/promises';
    import { onSignals } from './cli/screen/interruption.ts';
    let presses = 0;
    onSignals(() => {
      process.stdout.write('taken ');
      if (++presses > 1) return;
      const end = performance.now() + ${work};
      queueMicrotask(() => { while (performance.now() < end); });
    });
    const press = () => process.kill(process.pid, 'SIGINT');
    setInterval(() => {}, 1_000).unref();
    press();
    await wait(100);
    press();
    await wait(600);
    press();
    await wait(50);
  `;
  return (await run(process.execPath, ['--input-type=module', '--eval', program])).stdout.trim();
}

test.for([0, 600])('counts a repeated signal once, even after %i ms of work', async (work) => {
  expect(await pressesTaken(work)).toBe('taken taken');
});
