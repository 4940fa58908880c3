// Scheduled jobs. They are part of the world, so that a restored world continues with them.
import type { Job, Task } from '../world/entries.ts';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';

/** Returns the number of the job. */
export function scheduleJob({ counters, jobs }: World, at: number, task: Task): number {
  const id = ++counters.job;
  jobs.set(id, { id, at, task });
  return id;
}

export function nextDueAt({ jobs }: World): number | undefined {
  return jobs.order[0]?.at;
}

/** For how many milliseconds the job that waits longest could have been done. */
export function oldestDueMs({ jobs, clock }: World): number {
  const [first] = jobs.order;
  return first ? Math.max(0, timeOf(clock) - first.at) : 0;
}

/** Removes and returns all jobs that are due by then, in order. */
export function takeDueJobs({ jobs }: World, until: number): Job[] {
  const due = jobs.dueBy(until);
  for (const { id } of due) jobs.delete(id);
  return due;
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
export function holdDueJobs({ jobs }: World, until: number, { id, now, holdMs, mayHold }: Hold): HeldJob[] {
  const held: HeldJob[] = [];
  for (const job of jobs.dueBy(until)) {
    const isAttempt = job.task.kind === 'attempt';
    if ((job.held?.until ?? 0) > now || (isAttempt && !mayHold(job))) continue;
    held.push({ job, isAgain: job.held !== undefined });
    if (isAttempt) jobs.edit(job.id).held = { by: id, until: now + holdMs };
    else jobs.delete(job.id);
  }
  return held;
}

/** Schedules a job that this process works on at once, and returns its number. */
export function scheduleHeldJob(
  world: World,
  at: number,
  { task, id, until }: { task: Task; id: string; until: number },
): number {
  const number = scheduleJob(world, at, task);
  world.jobs.edit(number).held = { by: id, until };
  return number;
}

/** Removes a job that this process holds. Returns whether it still held it. */
export function releaseJob({ jobs }: World, number: number, holder: string): boolean {
  return jobs.get(number)?.held?.by === holder && jobs.delete(number);
}

/** Lets others have the jobs that this process holds. They stay begun, so that a retry is counted once. */
export function giveBackJobs({ jobs }: World, holder: string): void {
  for (const { id, held } of jobs.values())
    if (held?.by === holder) jobs.edit(id).held = { by: holder, until: 0 };
}

/** When the first job is due that nobody holds, or when the first hold ends, by the clocks of the world and of the holders. */
export function nextFree({ jobs }: World, now: number): { at: number; holdEndsAt: number } {
  let holdEndsAt = Number.POSITIVE_INFINITY;
  for (const { at, held } of jobs.order) {
    if (!held || held.until <= now) return { at, holdEndsAt };
    holdEndsAt = Math.min(holdEndsAt, held.until);
  }
  return { at: Number.POSITIVE_INFINITY, holdEndsAt };
}

/** Removes the jobs that became obsolete. Whoever holds one ends it. */
export function dropJobs({ jobs }: World, isObsolete: (job: Job) => boolean): void {
  for (const job of jobs.values()) if (!job.held && isObsolete(job)) jobs.delete(job.id);
}
