// The agenda of a world that several processes share: a process claims each attempt before it makes it.

import { scheduleJob } from '../../clock/jobs.ts';
import type { Agenda, Claim, TakenJob } from '../../clock/scheduler.ts';
import type { Job } from '../../world/entries.ts';
import type { Clock } from '../../world/time.ts';
import type { World } from '../../world/world.ts';

interface SharedParts {
  holder: {
    id: string;
    /** Milliseconds since 1970, by a clock that all processes share. */
    now(): number;
  };
  /** How long a claim lasts, in milliseconds; then another process may claim the attempt. */
  holdMs: number;
  targetOf(job: Job): string;
  /** Called when a claim ends while due jobs wait for its place. */
  onPlace(): void;
}

/** How many attempts a process claims at a time; the others stay unclaimed. */
const mostHeld = 128;
/** The sender makes no more requests to one target at a time. */
const mostHeldOfTarget = 16;

/** `mock.world` is read at each use, since it can be replaced. */
export function createSharedAgenda(
  mock: { readonly world: World; clock: Clock },
  { holder, holdMs, targetOf, onPlace }: SharedParts,
): Agenda {
  const { clock } = mock;
  /** When due jobs may be claimed again, by the engine's clock. */
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
        // The next attempt begins in the turn that ends this one.
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
    /** `held` remains, so that the next process does not count a retry again. */
    giveBack() {
      const { jobs } = mock.world;
      for (const { id, held } of jobs.values())
        if (held?.by === holder.id) jobs.edit(id).held = { by: holder.id, until: 0 };
    },
  };
}

/** When a process has to load the world for its next job, in milliseconds since 1970 by the engine's clock; undefined: never. */
export function nextDueOf(world: World, aheadMs: number): number | undefined {
  const { clock } = world;
  // Jobs on a manual clock run when a caller moves it.
  if (clock.mode === 'manual') return undefined;
  const { at, holdEndsAt } = nextFree(world, Date.now() + aheadMs);
  const next = Math.min(at - clock.offset + aheadMs, holdEndsAt);
  return next === Number.POSITIVE_INFINITY ? undefined : next;
}

/** `at`: when the first unclaimed job is due, by the world's clock; `holdEndsAt`: when the first claim ends, by the engine's. */
function nextFree({ jobs }: World, now: number): { at: number; holdEndsAt: number } {
  let holdEndsAt = Number.POSITIVE_INFINITY;
  for (const { at, held } of jobs.order) {
    if (!held || held.until <= now) return { at, holdEndsAt };
    holdEndsAt = Math.min(holdEndsAt, held.until);
  }
  return { at: Number.POSITIVE_INFINITY, holdEndsAt };
}

const measurements = 8;
const mostJitterMs = 50;

/** Estimates how many milliseconds the engine's clock is ahead: delays make measurements too small, so the largest of the last ones counts. */
export function measureAhead(): (measuredMs: number) => number {
  let aheadMs: number | undefined;
  let last: number[] = [];
  return (measuredMs) => {
    last = [...last, measuredMs].slice(-measurements);
    const best = Math.max(...last);
    const now = Math.abs(best) < mostJitterMs ? 0 : best;
    // The estimate falls only if all measurements are lower, which means that the clock was set back.
    const isSetBack = last.length === measurements && now < (aheadMs ?? 0) - mostJitterMs;
    if (aheadMs === undefined || now > aheadMs || isSetBack) aheadMs = now;
    return aheadMs;
  };
}
