/** Does some work. The first Ctrl-C aborts the signal, so that the work can clean up; the second ends the process. */
export async function runInterruptibly<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = () => {
    if (interruption.signal.aborted) process.exit(130);
    console.error('\nsitepub: interrupted; cleaning up (a second interrupt ends it at once)');
    interruption.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
