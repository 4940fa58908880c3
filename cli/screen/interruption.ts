import { constants } from 'node:os';
import { endingMs, Terminated } from '../../contract-tests/core/ending.ts';
import { preferLowMemory } from '../../contract-tests/core/memory.ts';

/** Milliseconds within which a repeated signal counts as the same Ctrl-C: the terminal sends it to all processes, and npm or an older Node forwards it. */
const samePress = 500;

type Handle = (signal: NodeJS.Signals) => void;

const handles = new Map<NodeJS.Signals, Handle[]>();
const justTaken = new Set<NodeJS.Signals>();
let taken = false;

/** Calls `handle` for each Ctrl-C and each other signal until the result is called. Only the latest handler is called. */
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

export function isInterrupted(): boolean {
  return taken;
}

function take(signal: NodeJS.Signals): void {
  taken = true;
  if (justTaken.has(signal)) return;
  justTaken.add(signal);
  // After a long block, timers run first, then the waiting signals, then setImmediate.
  setTimeout(() => setImmediate(() => justTaken.delete(signal)), samePress).unref();
  handles.get(signal)?.at(-1)?.(signal);
}

/** The second signal ends the process at once. */
export function onInterruption(handle: Handle, signals?: readonly NodeJS.Signals[]): void {
  let isSecond = false;
  onSignals((signal) => {
    if (isSecond) process.exit(exitCodeOfSignal(signal));
    isSecond = true;
    handle(signal);
  }, signals);
}

/** As in shells. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** Resolves on Ctrl-C, on the end of the terminal, and when the reader of the output goes away. A second Ctrl-C ends the process. */
export function interruption(): Promise<void> {
  return new Promise((resolve) => {
    onInterruption(() => resolve(), ['SIGINT', 'SIGTERM', 'SIGHUP']);
    process.stdout.once('error', () => resolve());
  });
}

/** After `allowSlowCleanup` is called, the clean-up may wait for a slow deployment. */
type Work = (signal: AbortSignal, allowSlowCleanup: () => void) => Promise<number>;

/** The first Ctrl-C aborts the signal, so that the command can clean up for some seconds, and makes the exit code 130. The second one ends the process. */
export async function commandInterruptibly(work: Work): Promise<number> {
  preferLowMemory();
  const interruption = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isSlowCleanupAllowed = false;
  const interrupt = (signal: NodeJS.Signals) => {
    if (interruption.signal.aborted) process.exit(130);
    console.error('\nsitepub: interrupted; cleaning up (interrupt again to stop at once)');
    const isTerminated = signal === 'SIGTERM';
    const mostMs = isSlowCleanupAllowed && !isTerminated ? endingMs.slowProcess : endingMs.process;
    timer = setTimeout(() => process.exit(130), mostMs).unref();
    interruption.abort(isTerminated ? new Terminated() : undefined);
  };
  const stop = onSignals(interrupt);
  try {
    const code = await work(interruption.signal, () => {
      isSlowCleanupAllowed = true;
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
