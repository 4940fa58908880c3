const longestTimerMs = 2 ** 31 - 1;

/** Calls back with a key at its time, by real time; keeps no process alive. */
export function createDeadlines(onReached: (key: string) => void) {
  const timers = new Map<string, NodeJS.Timeout>();

  function set(key: string, at: number): void {
    const wait = Math.min(Math.max(0, at - Date.now()), longestTimerMs);
    const again = () => (at > Date.now() ? set(key, at) : reach(key));
    timers.set(key, setTimeout(again, wait).unref());
  }

  function reach(key: string): void {
    timers.delete(key);
    onReached(key);
  }

  return {
    set,
    delete(key: string): void {
      clearTimeout(timers.get(key));
      timers.delete(key);
    },
    close(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
