// What is to happen later. It stands in the world, so that a restored world goes on with it.
import type { Job, Task, World } from '../world/world.ts';

export function schedule({ counters, jobs }: World, at: number, task: Task): void {
  // Most are due after all others; of those due at the same time the one that was scheduled first comes first.
  let index = jobs.length;
  while (index > 0 && (jobs[index - 1]?.at ?? 0) > at) index--;
  jobs.splice(index, 0, { id: ++counters.job, at, task });
}

/** When the next job is due. */
export function nextDue({ jobs }: World): number | undefined {
  return jobs[0]?.at;
}

/** Takes all jobs out that are due by then, in order. */
export function takeDue({ jobs }: World, until: number): Job[] {
  const end = jobs.findIndex(({ at }) => at > until);
  return jobs.splice(0, end === -1 ? jobs.length : end);
}

/** Takes out the jobs that are not to be done any more. */
export function drop(world: World, isObsolete: (job: Job) => boolean): void {
  world.jobs = world.jobs.filter((job) => !isObsolete(job));
}
