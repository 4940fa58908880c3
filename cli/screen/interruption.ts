// Signals that end a command.
import { constants } from 'node:os';
import { Terminated, endingMs } from '../../contract-tests/core/ending.ts';
import { keepProcessSmall } from '../../contract-tests/core/memory.ts';

/**
 * In milliseconds. The same signal again within this time is still the same Ctrl-C: a terminal sends it to all its processes, and those that started
 * the command, npm or a Node that is too old, pass theirs on.
 */
const samePress = 500;

type Handle = (signal: NodeJS.Signals) => void;

const handles = new Map<NodeJS.Signals, Handle[]>();
const justTaken = new Set<NodeJS.Signals>();
let taken = false;

/** Calls back for each press of Ctrl-C and each other signal, until the result is called. Of several callbacks only the latest is called. */
export function onSignals(
  handle: Handle,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): () => void {
  for (const signal of signals) {
    handles.set(signal, [...(handles.get(signal) ?? []), handle]);
    if (!process.listeners(signal).includes(take)) process.on(signal, take);
  }
  return () => {
    for (const signal of signals) {
      const others = handles.get(signal)?.filter((other) => other !== handle) ?? [];
      handles.set(signal, others);
      if (others.length === 0) process.off(signal, take);
    }
  };
}

/** Whether any signal has been taken so far. */
export function isInterrupted(): boolean {
  return taken;
}

function take(signal: NodeJS.Signals): void {
  taken = true;
  if (justTaken.has(signal)) return;
  justTaken.add(signal);
  // After work that held the process for long the timer comes first, then the signals that came meanwhile, then what was set immediately.
  setTimeout(() => setImmediate(() => justTaken.delete(signal)), samePress).unref();
  handles.get(signal)?.at(-1)?.(signal);
}

/** Calls back for the first Ctrl-C or SIGTERM. The next one ends the process at once. */
export function onInterruption(handle: Handle, signals?: readonly NodeJS.Signals[]): void {
  let isSecond = false;
  onSignals((signal) => {
    if (isSecond) process.exit(exitCodeOfSignal(signal));
    isSecond = true;
    handle(signal);
  }, signals);
}

/** As shells say it. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** Ctrl-C, the end of the terminal, or that of the process that reads the output, for a command that ends so. A second Ctrl-C ends the process. */
export function interruption(): Promise<void> {
  return new Promise((resolve) => {
    onInterruption(() => resolve(), ['SIGINT', 'SIGTERM', 'SIGHUP']);
    process.stdout.once('error', () => resolve());
  });
}

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
