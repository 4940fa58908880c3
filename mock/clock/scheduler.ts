// Runs jobs when they are due: as time passes, or at once when the clock is moved.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Job, World } from '../world/world.ts';
import { type Clock, moveClock } from './clock.ts';
import { nextDueAt, takeDueJobs } from './jobs.ts';
import { createTurns } from './turns.ts';

export interface Scheduler {
  /** To be called after a job was scheduled. Jobs that are already due run soon, but never before the current answer is sent. */
  wake(): void;
  /** Makes `settle` wait for work that was started without a job. */
  track<Result>(work: Promise<Result>): Promise<Result>;
  /** Waits until no work is running and no job is due. */
  settle(): Promise<void>;
  /** Moves the clock forward and runs all jobs due until then, in order; waits for the work they cause. */
  advance(to: number): Promise<void>;
  /** Whether waiting for real time would delay a caller who moves the clock. */
  shouldAbortWaiting(): boolean;
  close(): void;
}

interface TimedState {
  /** The world is read anew each time: it can be replaced. */
  state: { readonly world: World };
  clock: Clock;
}

interface JobRunner {
  /** Never fails. */
  perform(job: Job): Promise<void>;
  /** Aborts work that only waits for time to pass. */
  abortWaiting(): void;
}

/** While the clock is moved, jobs this close to each other run together. No job causes another one so soon. */
const batchMs = 1000;
const longestTimerMs = 2 ** 31 - 1;

export function createScheduler(
  { state, clock }: TimedState,
  { perform, abortWaiting }: JobRunner,
): Scheduler {
  const running = new Set<Promise<unknown>>();
  const inTurn = createTurns();
  let advancing = 0;
  let timer: NodeJS.Timeout | undefined;
  let isWakePending = false;
  let isClosed = false;

  async function track<Result>(work: Promise<Result>): Promise<Result> {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  }

  function startJobs(until: number): void {
    if (isClosed) return;
    for (const job of takeDueJobs(state.world, until)) {
      moveClock(state.world.clock, job.at);
      void track(perform(job));
    }
  }

  function runDueJobs(): void {
    startJobs(clock.now());
    clearTimeout(timer);
    const wait = Math.max(0, nextJobAt() - clock.now());
    // A manual clock does not reach a later job by itself.
    if (wait === Number.POSITIVE_INFINITY || state.world.clock.mode === 'manual') return;
    timer = setTimeout(runDueJobs, Math.min(wait, longestTimerMs)).unref();
  }

  function wake(): void {
    if (isWakePending) return;
    isWakePending = true;
    setImmediate(() => {
      isWakePending = false;
      runDueJobs();
    });
  }

  async function settle(): Promise<void> {
    do {
      await nextTurn();
      runDueJobs();
      for (const work of running) await work;
    } while (running.size > 0 || nextJobAt() <= clock.now());
  }

  function nextJobAt(): number {
    return (isClosed ? undefined : nextDueAt(state.world)) ?? Number.POSITIVE_INFINITY;
  }

  async function moveTo(to: number): Promise<void> {
    await settle();
    for (let next = nextJobAt(); next <= to; next = nextJobAt()) {
      startJobs(Math.min(to, next + batchMs));
      await settle();
    }
    moveClock(state.world.clock, to);
    runDueJobs();
  }

  /** One caller after the other, however many call at once. */
  async function advance(to: number): Promise<void> {
    advancing++;
    try {
      await inTurn(async () => {
        abortWaiting();
        await moveTo(to);
      });
    } finally {
      advancing--;
    }
  }

  return {
    wake,
    track,
    settle,
    advance,
    shouldAbortWaiting: () => advancing > 0 || state.world.clock.mode === 'manual',
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
