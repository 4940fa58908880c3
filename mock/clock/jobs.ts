// Scheduled jobs. They are part of the world, so that a restored world continues with them.
import type { Job, Task, World } from '../world/world.ts';

export function scheduleJob({ counters, jobs }: World, at: number, task: Task): void {
  // Most are due after all others; of those due at the same time, the first scheduled comes first.
  let index = jobs.length;
  while (index > 0 && (jobs[index - 1]?.at ?? 0) > at) index--;
  jobs.splice(index, 0, { id: ++counters.job, at, task });
}

export function nextDueAt({ jobs }: World): number | undefined {
  return jobs[0]?.at;
}

/** Removes and returns all jobs that are due by then, in order. */
export function takeDueJobs({ jobs }: World, until: number): Job[] {
  const end = jobs.findIndex(({ at }) => at > until);
  return jobs.splice(0, end === -1 ? jobs.length : end);
}

/** Removes the jobs that became obsolete. */
export function dropJobs(world: World, isObsolete: (job: Job) => boolean): void {
  world.jobs = world.jobs.filter((job) => !isObsolete(job));
}
