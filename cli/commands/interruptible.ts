// Commands that call a deployment: they end in time when they are interrupted, and take little memory, whatever it does.
import { endingMs, Terminated } from '../../contract-tests/core/ending.ts';
import { keepProcessSmall } from '../../contract-tests/core/memory.ts';
import { onSignals } from '../screen/interruption.ts';

/** `bePatient`: from then on the clean-up after Ctrl-C may wait for a slow deployment. */
type Work<T> = (signal: AbortSignal, bePatient: () => void) => Promise<T>;

/** Does some work. The first Ctrl-C aborts the signal, so that the work can clean up for some seconds; the second ends the process. */
export async function runInterruptibly<T>(work: Work<T>): Promise<T> {
  const interruption = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isPatient = false;
  const interrupt = (signal: NodeJS.Signals) => {
    if (interruption.signal.aborted) process.exit(130);
    console.error('\nsitepub: interrupted; cleaning up (a second interrupt ends it at once)');
    const isTerminated = signal === 'SIGTERM';
    const mostMs = isPatient && !isTerminated ? endingMs.slowProcess : endingMs.process;
    timer = setTimeout(() => process.exit(130), mostMs).unref();
    interruption.abort(isTerminated ? new Terminated() : undefined);
  };
  const stop = onSignals(interrupt);
  try {
    return await work(interruption.signal, () => {
      isPatient = true;
    });
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** Runs a whole command so. Its exit code is 130 where it was interrupted, and where it is as it ends. */
export async function commandInterruptibly(work: Work<number>): Promise<number> {
  keepProcessSmall();
  const code = await runInterruptibly(async (signal, bePatient) => {
    try {
      const given = await work(signal, bePatient);
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
