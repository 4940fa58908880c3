// Scheduled jobs. They are part of the world, so that a restored world continues with them.
import { countWhile } from '../world/count-while.ts';
import type { Job, Task } from '../world/entries.ts';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';

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

/** For how many milliseconds the job that waits longest could have been done. */
export function oldestDueMs({ jobs, clock }: World): number {
  const [first] = jobs;
  return first ? Math.max(0, timeOf(clock) - first.at) : 0;
}

/** Removes and returns all jobs that are due by then, in order. */
export function takeDueJobs({ jobs }: World, until: number): Job[] {
  return jobs.splice(0, countUntil(jobs, until));
}

/** A process that shares its world with others. */
export interface Holder {
  id: string;
  /** Milliseconds since 1970, by a clock that all of them share. */
  now(): number;
}

/** A job that a process works on: others leave it alone until it is done, or until the hold has run out. */
export interface HeldJob {
  job: Job;
  /** Whether somebody held it before, and has not done it. */
  isAgain: boolean;
}

interface Hold {
  /** Of the holder. */
  id: string;
  now: number;
  holdMs: number;
  /** Whether this process has a place for the attempt. */
  mayHold(job: Job): boolean;
}

/** Holds the attempts that are due by then and that nobody holds, and returns them in order. Other jobs are done at once, and removed. */
export function holdDueJobs(world: World, until: number, { id, now, holdMs, mayHold }: Hold): HeldJob[] {
  const held: HeldJob[] = [];
  const rest: Job[] = [];
  const due = countUntil(world.jobs, until);
  for (const job of world.jobs.slice(0, due)) {
    const isAttempt = job.task.kind === 'attempt';
    if ((job.held?.until ?? 0) > now || (isAttempt && !mayHold(job))) rest.push(job);
    else {
      held.push({ job, isAgain: job.held !== undefined });
      if (isAttempt) rest.push({ ...job, held: { by: id, until: now + holdMs } });
    }
  }
  if (held.length > 0) world.jobs = [...rest, ...world.jobs.slice(due)];
  return held;
}

/** Schedules a job that this process works on at once, and returns its id. */
export function scheduleHeldJob(
  world: World,
  at: number,
  { task, id, until }: { task: Task; id: string; until: number },
): number {
  scheduleJob(world, at, task);
  const { job: number } = world.counters;
  world.jobs = world.jobs.map((job) => (job.id === number ? { ...job, held: { by: id, until } } : job));
  return number;
}

/** Removes a job that this process holds. Returns whether it still held it. */
export function releaseJob(world: World, number: number, holder: string): boolean {
  const isHeld = world.jobs.some(({ id, held }) => id === number && held?.by === holder);
  if (isHeld) world.jobs = world.jobs.filter(({ id }) => id !== number);
  return isHeld;
}

/** Lets others have the jobs that this process holds. They stay begun, so that a retry is counted once. */
export function giveBackJobs(world: World, holder: string): void {
  world.jobs = world.jobs.map((job) =>
    job.held?.by === holder ? { ...job, held: { by: holder, until: 0 } } : job,
  );
}

/** When the first job is due that nobody holds, or when the first hold ends, by the clocks of the world and of the holders. */
export function nextFree({ jobs }: World, now: number): { at: number; holdEndsAt: number } {
  let holdEndsAt = Number.POSITIVE_INFINITY;
  for (const { at, held } of jobs) {
    if (!held || held.until <= now) return { at, holdEndsAt };
    holdEndsAt = Math.min(holdEndsAt, held.until);
  }
  return { at: Number.POSITIVE_INFINITY, holdEndsAt };
}

/** Removes the jobs that became obsolete. Whoever holds one ends it. */
export function dropJobs(world: World, isObsolete: (job: Job) => boolean): void {
  world.jobs = world.jobs.filter((job) => job.held || !isObsolete(job));
}
