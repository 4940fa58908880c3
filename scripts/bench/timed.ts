/** What a piece of work took. */
export interface Took {
  seconds: number;
  cpuMs: number;
}

export async function timed(work: () => Promise<unknown>): Promise<Took> {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - startedAt) / 1000, cpuMs: (user + system) / 1000 };
}
