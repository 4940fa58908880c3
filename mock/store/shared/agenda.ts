// The agenda of a world that several processes share: each claims the attempts that it makes, by the clock of the engine.
import type { Clock } from '../../clock/clock.ts';
import { scheduleJob } from '../../clock/jobs.ts';
import { Lane } from '../../clock/lane.ts';
import type { Agenda, Claim, TakenJob } from '../../clock/scheduler.ts';
import type { Job } from '../../world/entries.ts';
import type { World } from '../../world/world.ts';

interface SharedMock {
  /** Read anew each time: it can be replaced. */
  readonly world: World;
  clock: Clock;
}

interface SharedParts {
  /** The process. */
  holder: {
    id: string;
    /** Milliseconds since 1970, by a clock that all processes share. */
    now(): number;
  };
  /** How long a claim lasts, in milliseconds. Then another process may claim the attempt. */
  holdMs: number;
  /** Whether the store is taking a turn right now. */
  isInTurn(): boolean;
  /** Where the attempt of a job goes. */
  targetOf(job: Job): string;
  /** Called when a place is free again. */
  onPlace(): void;
}

/** How many attempts a process claims at the same time; the others wait on the agenda. */
const mostHeld = 128;
/** How many of them go to the same target: as many as are sent to it at the same time. */
const mostHeldOfTarget = 16;

export function createSharedAgenda(
  mock: SharedMock,
  { holder, holdMs, isInTurn, targetOf, onPlace }: SharedParts,
): Agenda {
  const { clock } = mock;
  const places = new Lane({ most: mostHeld });
  const placesOfTargets = new Lane({ most: mostHeldOfTarget });
  /** Whether due jobs were left for lack of places. */
  let isFull = false;

  function take(job: Job): TakenJob | undefined {
    const { jobs } = mock.world;
    const { id, task, held } = job;
    if (task.kind !== 'attempt') {
      jobs.delete(id);
      return { job };
    }
    const leave = takePlace(targetOf(job));
    if (!leave) return undefined;
    jobs.edit(id).held = { by: holder.id, until: holder.now() + holdMs };
    return { job, claim: claimOf(id, held !== undefined, leave), leave };
  }

  /** Returns what leaves the place again. */
  function takePlace(target: string): (() => void) | undefined {
    const hasPlace = placesOfTargets.take(target);
    if (hasPlace && places.take('')) return leaveOnce(target);
    if (hasPlace) placesOfTargets.leave(target);
    isFull = true;
    return undefined;
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

  function claimOf(id: number, isAgain: boolean, leave: () => void): Claim {
    return {
      isAgain,
      release() {
        const { jobs } = mock.world;
        const isOwn = jobs.get(id)?.held?.by === holder.id && jobs.delete(id);
        // The turn that ends an attempt begins another one in its place.
        if (isInTurn()) leave();
        return isOwn;
      },
    };
  }

  return {
    nextAt() {
      if (isFull) return Number.POSITIVE_INFINITY;
      const { at, holdEndsAt } = nextFree(mock.world, holder.now());
      return Math.min(at, holdEndsAt - holder.now() + clock.now());
    },
    take(until) {
      const now = holder.now();
      const free = mock.world.jobs.dueBy(until).filter(({ held }) => (held?.until ?? 0) <= now);
      return free.map(take).filter((taken) => taken !== undefined);
    },
    lookAgain() {
      isFull = false;
    },
    isBusyElsewhere: () =>
      mock.world.jobs.dueBy(clock.now()).some(({ held }) => held && held.by !== holder.id),
    claim(task) {
      const id = scheduleJob(mock.world, clock.now(), task);
      mock.world.jobs.edit(id).held = { by: holder.id, until: holder.now() + holdMs };
      return claimOf(id, false, () => {});
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
