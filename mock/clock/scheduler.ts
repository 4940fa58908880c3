// Does what is due: as time passes, or at once where somebody moves the clock.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Job, World } from '../world/world.ts';
import { type Clock, moveClock } from './clock.ts';
import { nextDue, takeDue } from './jobs.ts';

export interface Scheduler {
  /** To be called after something was scheduled. What is due already is done soon, never before the answer that is being made. */
  wake(): void;
  /** Lets `settle` wait for something that was started without being scheduled. */
  track<Result>(work: Promise<Result>): Promise<Result>;
  /** Waits until nothing is under way and nothing is due. */
  settle(): Promise<void>;
  /** Moves the clock forward and does all that is due on the way, in order; waits for what that causes. */
  advance(to: number): Promise<void>;
  /** Whether waiting for real time would hold somebody up who moves the clock. */
  isImpatient(): boolean;
  close(): void;
}

/** The world is read anew each time: it can be replaced. */
interface Core {
  state: { readonly world: World };
  clock: Clock;
}

interface Work {
  /** Does what is due; never fails. */
  perform(job: Job): Promise<void>;
  /** Ends what would only wait for time to pass. */
  abortWaiting(): void;
}

/** While the clock is moved, jobs this close to each other do not wait for each other. No job causes another one so soon. */
const togetherMs = 1000;
const longestTimerMs = 2 ** 31 - 1;

export function createScheduler({ state, clock }: Core, { perform, abortWaiting: hurry }: Work): Scheduler {
  const underWay = new Set<Promise<unknown>>();
  let moving: Promise<void> = Promise.resolve();
  let movers = 0;
  let timer: NodeJS.Timeout | undefined;
  let isAwake = false;
  let isClosed = false;

  async function track<Result>(work: Promise<Result>): Promise<Result> {
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  }

  function start(until: number): void {
    if (isClosed) return;
    for (const job of takeDue(state.world, until)) {
      moveClock(state.world.clock, job.at);
      void track(perform(job));
    }
  }

  function doWhatIsDue(): void {
    start(clock.now());
    clearTimeout(timer);
    const wait = Math.max(0, nextJobAt() - clock.now());
    // On a manual clock only what was due already is ever done without being asked for.
    if (wait === Number.POSITIVE_INFINITY || state.world.clock.mode === 'manual') return;
    timer = setTimeout(doWhatIsDue, Math.min(wait, longestTimerMs)).unref();
  }

  function wake(): void {
    if (isAwake) return;
    isAwake = true;
    setImmediate(() => {
      isAwake = false;
      doWhatIsDue();
    });
  }

  async function settle(): Promise<void> {
    do {
      await nextTurn();
      doWhatIsDue();
      await Promise.all(underWay);
    } while (underWay.size > 0 || nextJobAt() <= clock.now());
  }

  function nextJobAt(): number {
    return (isClosed ? undefined : nextDue(state.world)) ?? Number.POSITIVE_INFINITY;
  }

  async function move(to: number): Promise<void> {
    await settle();
    for (let next = nextJobAt(); next <= to; next = nextJobAt()) {
      start(Math.min(to, next + togetherMs));
      await settle();
    }
    moveClock(state.world.clock, to);
    doWhatIsDue();
  }

  /** One after the other, however many ask at once. */
  async function advance(to: number): Promise<void> {
    movers++;
    const earlier = moving;
    const { promise, resolve } = Promise.withResolvers<void>();
    moving = promise;
    try {
      await earlier;
      hurry();
      await move(to);
    } finally {
      movers--;
      resolve();
    }
  }

  return {
    wake,
    track,
    settle,
    advance,
    isImpatient: () => movers > 0 || state.world.clock.mode === 'manual',
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
