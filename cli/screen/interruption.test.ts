import { test } from 'vitest';
import { runModule } from '../../scripts/testing/run-program.ts';

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
  return (await runModule(program)).stdout.trim();
}

test.concurrent.for([0, 600])(
  'counts a repeated signal once, even after %i ms of work',
  async (work, { expect }) => {
    expect(await pressesTaken(work)).toBe('taken taken');
  },
);
