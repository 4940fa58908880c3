// Commands that call a deployment: they end in time when they are interrupted, and take little memory, whatever it does.
import { endingMs, Terminated } from '../../contract-tests/core/ending.ts';
import { keepProcessSmall } from '../../contract-tests/core/memory.ts';
import { onSignals } from '../screen/interruption.ts';

/** `bePatient`: from then on the clean-up after Ctrl-C may wait for a slow deployment. */
type Work = (signal: AbortSignal, bePatient: () => void) => Promise<number>;

/** Runs a command. The first Ctrl-C aborts the signal, so that it can clean up for some seconds, and makes its exit code 130; the second ends the process. */
export async function commandInterruptibly(work: Work): Promise<number> {
  keepProcessSmall();
  const interruption = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isPatient = false;
  const interrupt = (signal: NodeJS.Signals) => {
    if (interruption.signal.aborted) process.exit(130);
    console.error('\nsitepub: interrupted; cleaning up (interrupt again to stop at once)');
    const isTerminated = signal === 'SIGTERM';
    const mostMs = isPatient && !isTerminated ? endingMs.slowProcess : endingMs.process;
    timer = setTimeout(() => process.exit(130), mostMs).unref();
    interruption.abort(isTerminated ? new Terminated() : undefined);
  };
  const stop = onSignals(interrupt);
  try {
    const code = await work(interruption.signal, () => {
      isPatient = true;
    });
    return interruption.signal.aborted ? 130 : code;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    console.error(`sitepub: ${error instanceof Error ? error.message : String(error)}`);
    return 130;
  } finally {
    clearTimeout(timer);
    stop();
    onSignals(() => process.exit(130));
  }
}
