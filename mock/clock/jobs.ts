// Jobs are part of the world, so that a restored world continues with them.
import type { Job, Task } from '../world/entries.ts';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';
import type { Agenda } from './scheduler.ts';

export function scheduleJob({ counters, jobs }: World, at: number, task: Task): number {
  const id = ++counters.job;
  jobs.set(id, { id, at, task });
  return id;
}

export function oldestDueMs({ jobs, clock }: World): number {
  const [first] = jobs.order;
  return first ? Math.max(0, timeOf(clock) - first.at) : 0;
}

/** Skips claimed jobs, because the claiming process ends them. */
export function dropJobs({ jobs }: World, isObsolete: (job: Job) => boolean): void {
  for (const job of jobs.values()) if (!job.held && isObsolete(job)) jobs.delete(job.id);
}

/** The agenda of a world that only this process uses, which needs no claims. */
export function createOwnAgenda(state: { readonly world: World }): Agenda {
  return {
    nextAt: () => state.world.jobs.order[0]?.at ?? Number.POSITIVE_INFINITY,
    take(until) {
      const { jobs } = state.world;
      const due = jobs.dueBy(until);
      for (const { id } of due) jobs.delete(id);
      return due.map((job) => ({ job }));
    },
    lookAgain() {},
    isBusyElsewhere: () => false,
    claim: () => undefined,
    giveBack() {},
  };
}
