// The agenda of a world that several processes share: each claims the attempts that it makes, by the clock of the engine.
import type { Clock } from '../../clock/clock.ts';
import { scheduleJob } from '../../clock/jobs.ts';
import type { Agenda, Claim, TakenJob } from '../../clock/scheduler.ts';
import type { Job } from '../../world/entries.ts';
import type { World } from '../../world/world.ts';

interface SharedParts {
  /** The process. */
  holder: {
    id: string;
    /** Milliseconds since 1970, by a clock that all processes share. */
    now(): number;
  };
  /** How long a claim lasts, in milliseconds. Then another process may claim the attempt. */
  holdMs: number;
  /** Where the attempt of a job goes. */
  targetOf(job: Job): string;
  /** Called when there is a place for jobs that had none. */
  onPlace(): void;
}

/** How many attempts a process claims at the same time; the others wait on the agenda. */
const mostHeld = 128;
/** How many of them go to the same target: as many as are sent to it at the same time. */
const mostHeldOfTarget = 16;

/** The world is read anew each time: it can be replaced. */
export function createSharedAgenda(
  mock: { readonly world: World; clock: Clock },
  { holder, holdMs, targetOf, onPlace }: SharedParts,
): Agenda {
  const { clock } = mock;
  /** Until then, by the clock of the engine, due jobs were left for lack of places. */
  let fullUntil = 0;

  function hold(id: number): void {
    mock.world.jobs.edit(id).held = { by: holder.id, until: holder.now() + holdMs };
  }

  function claimOf(id: number, isAgain: boolean): Claim {
    return {
      isAgain,
      release() {
        const { jobs } = mock.world;
        const isOwn = jobs.get(id)?.held?.by === holder.id && jobs.delete(id);
        // The turn that ends an attempt begins another one in its place.
        if (fullUntil > 0) onPlace();
        return isOwn;
      },
    };
  }

  return {
    nextAt() {
      const now = holder.now();
      const { at, holdEndsAt } = nextFree(mock.world, now);
      const byClock = (time: number) => time - now + clock.now();
      return now < fullUntil ? byClock(fullUntil) : Math.min(at, byClock(holdEndsAt));
    },
    take(until) {
      const { jobs } = mock.world;
      const now = holder.now();
      const due = jobs.dueBy(until);
      const isHeld = ({ held }: Job) => held !== undefined && held.until > now;
      const own = due.filter((job) => isHeld(job) && job.held?.by === holder.id);
      const ofTargets = Map.groupBy(own, targetOf);
      const taken: TakenJob[] = [];
      for (const job of due) {
        if (isHeld(job)) continue;
        if (job.task.kind !== 'attempt') {
          jobs.delete(job.id);
          taken.push({ job });
          continue;
        }
        const target = targetOf(job);
        const ofTarget = ofTargets.get(target) ?? [];
        if (own.length >= mostHeld || ofTarget.length >= mostHeldOfTarget) {
          fullUntil = now + holdMs;
          continue;
        }
        own.push(job);
        ofTargets.set(target, [...ofTarget, job]);
        taken.push({ job, claim: claimOf(job.id, job.held !== undefined) });
        hold(job.id);
      }
      return taken;
    },
    lookAgain() {
      fullUntil = 0;
    },
    isBusyElsewhere: () =>
      mock.world.jobs.dueBy(clock.now()).some(({ held }) => held && held.by !== holder.id),
    claim(task) {
      const id = scheduleJob(mock.world, clock.now(), task);
      hold(id);
      return claimOf(id, false);
    },
    /** The attempts stay begun, so that a retry is counted once. */
    giveBack() {
      const { jobs } = mock.world;
      for (const { id, held } of jobs.values())
        if (held?.by === holder.id) jobs.edit(id).held = { by: holder.id, until: 0 };
    },
  };
}

/** When a process has to look at the world if nobody calls it, in milliseconds since 1970 by the clock of the engine. Undefined: never. */
export function nextDueOf(world: World, aheadMs: number): number | undefined {
  const { clock } = world;
  // Whoever moves a manual clock does the due jobs.
  if (clock.mode === 'manual') return undefined;
  const { at, holdEndsAt } = nextFree(world, Date.now() + aheadMs);
  const next = Math.min(at - clock.offset + aheadMs, holdEndsAt);
  return next === Number.POSITIVE_INFINITY ? undefined : next;
}

/** When the first unclaimed job is due, by the clock of the world, and when the first claim ends, by the clock of the engine. */
function nextFree({ jobs }: World, now: number): { at: number; holdEndsAt: number } {
  let holdEndsAt = Number.POSITIVE_INFINITY;
  for (const { at, held } of jobs.order) {
    if (!held || held.until <= now) return { at, holdEndsAt };
    holdEndsAt = Math.min(holdEndsAt, held.until);
  }
  return { at: Number.POSITIVE_INFINITY, holdEndsAt };
}

/** How many measurements tell how far the clock of an engine is ahead. */
const measurements = 8;
/** Clocks that differ by less count as the same. */
const mostJitterMs = 50;

/**
 * Returns a function that takes a measurement and tells how many milliseconds the clock of an engine is ahead of this machine's.
 * A measurement is too small by the time that it waited to be read, so the largest of the last ones counts.
 */
export function measureAhead(): (measuredMs: number) => number {
  let aheadMs: number | undefined;
  let last: number[] = [];
  return (measuredMs) => {
    last = [...last, measuredMs].slice(-measurements);
    const best = Math.max(...last);
    const now = Math.abs(best) < mostJitterMs ? 0 : best;
    // The result goes back only after the clock was set back.
    const isSetBack = last.length === measurements && now < (aheadMs ?? 0) - mostJitterMs;
    if (aheadMs === undefined || now > aheadMs || isSetBack) aheadMs = now;
    return aheadMs;
  };
}
