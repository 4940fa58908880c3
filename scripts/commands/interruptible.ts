// Commands that call a deployment: they end in time when they are interrupted, and take little memory, whatever it does.
import { endingMs } from '../../contract-tests/core/ending.ts';
import { keepProcessSmall } from '../../contract-tests/core/memory.ts';
import { onSignals } from '../screen/interruption.ts';

/** Does some work. The first Ctrl-C aborts the signal, so that the work can clean up for some seconds; the second ends the process. */
export async function runInterruptibly<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => {
    if (interruption.signal.aborted) process.exit(130);
    console.error('\nsitepub: interrupted; cleaning up (a second interrupt ends it at once)');
    timer = setTimeout(() => process.exit(130), endingMs.process).unref();
    interruption.abort();
  };
  const stop = onSignals(interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** Runs a whole command so. Its exit code is 130 where it was interrupted, and where it is as it ends. */
export async function commandInterruptibly(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  keepProcessSmall();
  const code = await runInterruptibly(async (signal) => {
    try {
      const given = await work(signal);
      return signal.aborted ? 130 : given;
    } catch (error) {
      if (!signal.aborted) throw error;
      console.error(`sitepub: ${error instanceof Error ? error.message : String(error)}`);
      return 130;
    }
  });
  onSignals(() => process.exit(130));
  return code;
}
