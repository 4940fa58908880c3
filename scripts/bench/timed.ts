/** The duration and CPU time of some work. */
export interface Timing {
  seconds: number;
  cpuMs: number;
}

export async function measureTime(work: () => Promise<unknown>): Promise<Timing> {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - startedAt) / 1000, cpuMs: (user + system) / 1000 };
}
