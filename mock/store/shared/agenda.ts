// The agenda of a world that several processes share: each claims the attempts that it makes, and others leave them alone meanwhile.
import type { Clock } from '../../clock/clock.ts';
import { scheduleJob } from '../../clock/jobs.ts';
import { Lane } from '../../clock/lane.ts';
import type { Agenda, Claim } from '../../clock/scheduler.ts';
import type { Job, Task } from '../../world/entries.ts';
import type { World } from '../../world/world.ts';

/** A process that shares its world with others. */
export interface Holder {
  id: string;
  /** Milliseconds since 1970, by a clock that all of them share. */
  now(): number;
}

interface SharedParts {
  /** The world is read anew each time: it can be replaced. */
  state: { readonly world: World };
  clock: Clock;
  holder: Holder;
  /** For how long a job is held at most, in milliseconds. */
  holdMs: number;
  /** Whether the store is taking a turn right now. */
  isInTurn(): boolean;
  /** What a job is sent to: a process holds few of each at the same time. */
  targetOf(job: Job): string;
  /** Called when a place is free again. */
  onPlace(): void;
}

/** How many attempts a process holds at the same time; more would wait where they are. */
const mostHeld = 128;
/** How many of them go to the same target: as many as are sent to it at the same time. */
const mostHeldOfTarget = 16;

export function createSharedAgenda(parts: SharedParts): Agenda {
  const { state, clock, holder, holdMs, isInTurn, targetOf, onPlace } = parts;
  const places = new Lane({ most: mostHeld });
  const placesOfTargets = new Lane({ most: mostHeldOfTarget });
  /** Whether there was no place for all that was due. */
  let isFull = false;

  function mayHold(job: Job): boolean {
    const target = targetOf(job);
    const hasPlace = placesOfTargets.take(target);
    if (hasPlace && places.take('')) return true;
    if (hasPlace) placesOfTargets.leave(target);
    isFull = true;
    return false;
  }

  function leaveOnce(target: string): () => void {
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      places.leave('');
      placesOfTargets.leave(target);
      onPlace();
    };
  }

  /** In the turn that ends a job another one takes its place. */
  function claimOf(jobId: number, isAgain: boolean, leave: () => void): Claim {
    return {
      isAgain,
      release() {
        const isOwn = releaseJob(state.world, jobId, holder.id);
        if (isInTurn()) leave();
        return isOwn;
      },
    };
  }

  return {
    nextAt() {
      if (isFull) return Number.POSITIVE_INFINITY;
      const { at, holdEndsAt } = nextFree(state.world, holder.now());
      return Math.min(at, holdEndsAt - holder.now() + clock.now());
    },
    take(until) {
      const hold = { id: holder.id, now: holder.now(), holdMs, mayHold };
      return holdDueJobs(state.world, until, hold).map(({ job, isAgain }) => {
        // The job may be gone when it is done.
        const leave = job.task.kind === 'attempt' ? leaveOnce(targetOf(job)) : () => {};
        return { job, claim: claimOf(job.id, isAgain, leave), leave };
      });
    },
    lookAgain() {
      isFull = false;
    },
    isBusyElsewhere: () =>
      state.world.jobs.dueBy(clock.now()).some(({ held }) => held && held.by !== holder.id),
    claim(task) {
      const held = { task, id: holder.id, until: holder.now() + holdMs };
      return claimOf(scheduleHeldJob(state.world, clock.now(), held), false, () => {});
    },
    giveBack: () => giveBackJobs(state.world, holder.id),
  };
}

/** A job that a process works on: others leave it alone until it is done, or until the hold has run out. */
interface HeldJob {
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
function holdDueJobs({ jobs }: World, until: number, { id, now, holdMs, mayHold }: Hold): HeldJob[] {
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
function scheduleHeldJob(
  world: World,
  at: number,
  { task, id, until }: { task: Task; id: string; until: number },
): number {
  const number = scheduleJob(world, at, task);
  world.jobs.edit(number).held = { by: id, until };
  return number;
}

/** Removes a job that this process holds. Returns whether it still held it. */
function releaseJob({ jobs }: World, number: number, holder: string): boolean {
  return jobs.get(number)?.held?.by === holder && jobs.delete(number);
}

/** Lets others have the jobs that this process holds. They stay begun, so that a retry is counted once. */
function giveBackJobs({ jobs }: World, holder: string): void {
  for (const { id, held } of jobs.values())
    if (held?.by === holder) jobs.edit(id).held = { by: holder, until: 0 };
}

/** When the first job is due that nobody holds, or when the first hold ends, by the clocks of the world and of the holders. */
function nextFree({ jobs }: World, now: number): { at: number; holdEndsAt: number } {
  let holdEndsAt = Number.POSITIVE_INFINITY;
  for (const { at, held } of jobs.order) {
    if (!held || held.until <= now) return { at, holdEndsAt };
    holdEndsAt = Math.min(holdEndsAt, held.until);
  }
  return { at: Number.POSITIVE_INFINITY, holdEndsAt };
}
