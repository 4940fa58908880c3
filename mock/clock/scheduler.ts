// Runs jobs when they are due: as time passes, or at once when the clock is moved.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Job, Task } from '../world/entries.ts';
import { type Turn, turnInMemory } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import { type Clock, moveClock } from './clock.ts';
import {
  giveBackJobs,
  type Holder,
  holdDueJobs,
  nextDueAt,
  nextFree,
  releaseJob,
  scheduleHeldJob,
  takeDueJobs,
} from './jobs.ts';
import { Lane } from './lane.ts';
import { createTurns } from './turns.ts';
import { createWork, type Rest } from './work.ts';

export interface Scheduler {
  /** To be called after a job was scheduled. Jobs that are already due run soon, but never before the current answer is sent. */
  wake(): void;
  /** Makes `settle` wait for work that was started without a job. */
  track<Result>(work: Promise<Result>): Promise<Result>;
  /** Waits until no work is running and no job is due; with `isOwn`, work of this process alone. */
  settle(which?: { isOwn: boolean }): Promise<void>;
  /** Moves the clock forward and runs all jobs due until then, in order; waits for the work they cause. */
  advance(to: number): Promise<void>;
  /** Whether waiting for real time would delay a caller who moves the clock. */
  shouldAbortWaiting(): boolean;
  /** Schedules an attempt that this process begins at once, where others share the world: then one of them makes it if this process does not. */
  claim(task: Task): Claim | undefined;
  /** From now on, what comes due is left to others, but for callers who move the clock or wait for all pushes. */
  leaveToOthers(): void;
  /** Lets others have what this process has not done. */
  giveBack(): Promise<void>;
  close(): void;
}

interface TimedState {
  /** The world is read anew each time: it can be replaced. */
  state: { readonly world: World };
  clock: Clock;
  /** Default: at once. */
  turn?: Turn;
  /** Whether a store is taking a turn right now: what becomes due in it is begun in it. */
  isInTurn?: (() => boolean) | undefined;
  /** Of a process that shares the world with others. */
  holder?: Holder | undefined;
  /** For how long a job is held at most, in milliseconds. */
  holdMs?: number;
  /** What a job is sent to: a process holds few of each at the same time. Default: all to the same. */
  targetOf?(job: Job): string;
}

/** What a process has of a job that it holds. */
export interface Claim {
  /** Whether the job was begun before, by a process that has not done it. */
  isAgain: boolean;
  /** Ends the job. Returns false if it has become another's: then nothing of it counts. */
  release(): boolean;
}

/** What a job that is held goes on with, and how it leaves its place. */
interface HeldRest {
  rest: Rest;
  leave(): void;
}

interface JobRunner {
  /** Does what a job changes at once, and returns what it goes on with once that is persisted, if anything. Does not throw. */
  begin(job: Job, claim?: Claim): Rest | undefined;
  /** Tells of a job that failed later. */
  report(failure: unknown): void;
  /** Aborts work that only waits for time to pass. */
  abortWaiting(): void;
}

/** While the clock is moved, jobs this close to each other run together. No job causes another one so soon. */
const batchMs = 1000;
const longestTimerMs = 2 ** 31 - 1;
/** So often others are asked whether they are done. */
const othersMs = 50;
/** How many attempts a process holds at the same time; more would wait where they are. */
const mostHeld = 128;
/** How many of them go to the same target: as many as are sent to it at the same time. */
const mostHeldOfTarget = 16;
/** So long after a store could not keep what a job did, it is tried again. */
const againMs = 1000;

export function createScheduler(
  {
    state,
    clock,
    turn = turnInMemory,
    isInTurn = () => false,
    holder,
    holdMs = 0,
    targetOf = () => '',
  }: TimedState,
  { begin, report, abortWaiting }: JobRunner,
): Scheduler {
  const work = createWork(report);
  const inTurn = createTurns();
  let advancing = 0;
  let timer: NodeJS.Timeout | undefined;
  let isWakePending = false;
  let isClosed = false;
  let leavesToOthers = false;
  const places = new Lane({ most: mostHeld });
  const placesOfTargets = new Lane({ most: mostHeldOfTarget });
  /** Whether there was no place for all that was due. */
  let isFull = false;

  /** Returns a promise only where a store keeps the world; it is rejected if that can't be. */
  function startJobs(until: number): void | Promise<void> {
    if (nextJobAt() > until) return;
    if (holder) return startHeldJobs(until, holder);
    const begun = turn(() => beginJobs(until));
    if (begun instanceof Promise) return work.track(begun.then(work.start));
    work.start(begun);
  }

  function beginJobs(until: number): Rest[] {
    const rests = takeDueJobs(state.world, until).map((job) => {
      moveClock(state.world.clock, job.at);
      return begin(job);
    });
    return rests.filter((rest) => rest !== undefined);
  }

  /** Work that could not be kept is done once more: then it takes its places anew. */
  async function startHeldJobs(until: number, own: Holder): Promise<void> {
    let taken: HeldRest[] = [];
    const leaveTaken = () => {
      for (const { leave } of taken) leave();
      taken = [];
    };
    const take = (): Rest[] => {
      leaveTaken();
      taken = beginHeldJobs(until, own);
      return taken.map(
        ({ rest, leave }) =>
          (done) =>
            rest((failure) => {
              leave();
              done(failure);
            }),
      );
    };
    const begun = Promise.resolve(turn(take));
    const failed = (error: unknown) => {
      leaveTaken();
      throw error;
    };
    return work.track(begun.then(work.start, failed));
  }

  function beginHeldJobs(until: number, { id, now }: Holder): HeldRest[] {
    const held = holdDueJobs(state.world, until, { id, now: now(), holdMs, mayHold });
    return held.flatMap(({ job, isAgain }) => {
      moveClock(state.world.clock, job.at);
      // The job may be gone when it is done.
      const leave = job.task.kind === 'attempt' ? leaveOnce(targetOf(job)) : () => {};
      const rest = begin(job, claimOf(job.id, id, { isAgain, leave }));
      if (rest) return [{ rest, leave }];
      leave();
      return [];
    });
  }

  function mayHold(job: Job): boolean {
    const target = targetOf(job);
    const hasPlace = placesOfTargets.take(target);
    if (hasPlace && places.take('')) return true;
    if (hasPlace) placesOfTargets.leave(target);
    isFull = true;
    return false;
  }

  /** Then there may be more to do. */
  function leaveOnce(target: string): () => void {
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      places.leave('');
      placesOfTargets.leave(target);
      wake();
    };
  }

  /** In the turn that ends a job another one takes its place. */
  function claimOf(
    jobId: number,
    holderId: string,
    { isAgain, leave }: { isAgain: boolean; leave(): void },
  ): Claim {
    return {
      isAgain,
      release() {
        const isOwn = releaseJob(state.world, jobId, holderId);
        if (isInTurn()) leave();
        return isOwn;
      },
    };
  }

  function claim(task: Task): Claim | undefined {
    if (!holder) return undefined;
    const held = { task, id: holder.id, until: holder.now() + holdMs };
    const jobId = scheduleHeldJob(state.world, clock.now(), held);
    return claimOf(jobId, holder.id, { isAgain: false, leave() {} });
  }

  function runDueJobs(): void {
    if (leavesToOthers) return;
    const started = startJobs(clock.now());
    if (started instanceof Promise) started.then(awaitNext, () => setTimer(againMs));
    else awaitNext();
  }

  function awaitNext(): void {
    const wait = Math.max(0, nextJobAt() - clock.now());
    clearTimeout(timer);
    // A manual clock does not reach a later job by itself.
    if (wait < Number.POSITIVE_INFINITY && state.world.clock.mode === 'real') setTimer(wait);
  }

  function setTimer(wait: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(runDueJobs, Math.min(wait, longestTimerMs)).unref();
  }

  function wake(): void {
    isFull = false;
    if (isWakePending) return;
    isWakePending = true;
    const run = () => {
      isWakePending = false;
      runDueJobs();
    };
    // At the end of the turn, behind the calls that are waiting.
    if (isInTurn()) run();
    else setImmediate(run);
  }

  async function settle({ isOwn } = { isOwn: false }): Promise<void> {
    const begins = () => !(isOwn && leavesToOthers);
    let isElsewhere = false;
    do {
      await nextTurn();
      if (begins()) await startJobs(clock.now());
      awaitNext();
      await work.idle();
      isElsewhere = !isOwn && isHeldElsewhere();
      if (isElsewhere) await waitForOthers();
    } while (!work.isIdle() || (begins() && nextJobAt() <= clock.now()) || isElsewhere);
  }

  function isHeldElsewhere(): boolean {
    if (!holder || isClosed) return false;
    const now = clock.now();
    return state.world.jobs.dueBy(now).some(({ held }) => held && held.by !== holder.id);
  }

  async function waitForOthers(): Promise<void> {
    await sleep(othersMs);
    await Promise.resolve(turn(() => {}));
  }

  /** Infinity: nothing that this process could do. */
  function nextJobAt(): number {
    if (isClosed || isFull) return Number.POSITIVE_INFINITY;
    if (!holder) return nextDueAt(state.world) ?? Number.POSITIVE_INFINITY;
    const { at, holdEndsAt } = nextFree(state.world, holder.now());
    return Math.min(at, holdEndsAt - holder.now() + clock.now());
  }

  async function moveTo(to: number): Promise<void> {
    await settle();
    for (let next = nextJobAt(); next <= to; next = nextJobAt()) {
      await startJobs(Math.min(to, next + batchMs));
      await settle();
    }
    await Promise.resolve(turn(() => moveClock(state.world.clock, to)));
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
    track: work.track,
    settle,
    advance,
    shouldAbortWaiting: () => advancing > 0 || state.world.clock.mode === 'manual',
    claim,
    leaveToOthers() {
      leavesToOthers = true;
    },
    async giveBack() {
      isClosed = true;
      if (holder) await Promise.resolve(turn(() => giveBackJobs(state.world, holder.id))).catch(() => {});
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
