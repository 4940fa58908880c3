// Scheduled jobs. They are part of the world, so that a restored world continues with them.
import { countWhile } from '../world/count-while.ts';
import type { Job, Task, World } from '../world/world.ts';

export function scheduleJob({ counters, jobs }: World, at: number, task: Task): void {
  jobs.splice(countUntil(jobs, at), 0, { id: ++counters.job, at, task });
}

/** How many of the jobs, which are in order, are due by then. Of those due at the same time, the first scheduled comes first. */
function countUntil(jobs: readonly Job[], until: number): number {
  return countWhile(jobs, ({ at }) => at <= until);
}

export function nextDueAt({ jobs }: World): number | undefined {
  return jobs[0]?.at;
}

/** Removes and returns all jobs that are due by then, in order. */
export function takeDueJobs({ jobs }: World, until: number): Job[] {
  return jobs.splice(0, countUntil(jobs, until));
}

/** Removes the jobs that became obsolete. */
export function dropJobs(world: World, isObsolete: (job: Job) => boolean): void {
  world.jobs = world.jobs.filter((job) => !isObsolete(job));
}
