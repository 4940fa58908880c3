// Runs jobs when they are due: as time passes, or at once when the clock is moved.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Job, Task } from '../world/entries.ts';
import type { Turn } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import { type Clock, moveClock } from './clock.ts';
import { createWork, type Rest } from './work.ts';

export type Scheduler = ReturnType<typeof createScheduler>;

/** The parts of a mock that its jobs need. */
interface TimedMock {
  /** Read anew each time: it can be replaced. */
  readonly world: World;
  clock: Clock;
  turn: Turn;
  /** Jobs that become due in a turn of the store begin in that turn. */
  store?: { isInTurn(): boolean };
}

/** The jobs of a world that this process may do. `take`, `claim` and `giveBack` are called in a turn. */
export interface Agenda {
  /** When the next job is due, by the clock of the world; Infinity: there is none. */
  nextAt(): number;
  /** Takes the jobs that are due by then, in order. */
  take(until: number): TakenJob[];
  /** Something has changed: there may be places for jobs that had none. */
  lookAgain(): void;
  /** Whether others work on jobs that are due. */
  isBusyElsewhere(): boolean;
  /** Schedules an attempt that this process begins at once. Undefined: no other process could take it over. */
  claim(task: Task): Claim | undefined;
  /** Lets others have the jobs that this process has not done. */
  giveBack(): void;
}

export interface TakenJob {
  job: Job;
  claim?: Claim;
}

/** An attempt that this process has claimed. */
export interface Claim {
  /** Whether another process began the attempt and did not end it. */
  isAgain: boolean;
  /** Ends the attempt. Returns false if another process has claimed it meanwhile: then it does not count. */
  release(): boolean;
}

interface JobRunner {
  agenda: Agenda;
  /** Makes the immediate changes of a job. Returns the work to do once they are persisted, if any. Does not throw. */
  begin(job: Job, claim?: Claim): Rest | undefined;
  /** Reports a job that failed later. */
  report(failure: unknown): void;
  /** Aborts work that only waits for time to pass. */
  abortWaiting(): void;
}

/** While the clock is moved, jobs within this time run together. No job causes another one so soon. */
const batchMs = 1000;
const longestTimerMs = 2 ** 31 - 1;
/** How often others are asked whether they are done. */
const othersMs = 50;
/** A job that a store could not persist is tried again after this time. */
const againMs = 1000;

export function createScheduler(mock: TimedMock, { agenda, begin, report, abortWaiting }: JobRunner) {
  const { clock, turn } = mock;
  const isInTurn = () => mock.store?.isInTurn() ?? false;
  const work = createWork(report);
  let advancing = 0;
  let timer: NodeJS.Timeout | undefined;
  let isWakePending = false;
  let isClosed = false;
  let leavesToOthers = false;

  /** Returns a promise only if a store persists the world. It is rejected if the store can't. */
  function startJobs(until: number): void | Promise<void> {
    if (nextJobAt() > until) return;
    const begun = turn(() =>
      agenda.take(until).flatMap(({ job, claim }) => {
        moveClock(mock.world.clock, job.at);
        return begin(job, claim) ?? [];
      }),
    );
    return begun instanceof Promise ? work.track(begun.then(work.start)) : work.start(begun);
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
    if (wait < Number.POSITIVE_INFINITY && mock.world.clock.mode === 'real') setTimer(wait);
  }

  function setTimer(wait: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(runDueJobs, Math.min(wait, longestTimerMs)).unref();
  }

  /** Call it after a job was scheduled. Due jobs run soon, but never before the current answer is sent. */
  function wake(): void {
    agenda.lookAgain();
    if (isWakePending) return;
    isWakePending = true;
    const run = () => {
      isWakePending = false;
      runDueJobs();
    };
    // The jobs run at the end of the turn, behind the calls that wait.
    if (isInTurn()) run();
    else setImmediate(run);
  }

  /** Waits until no work is running and no job is due; with `isOwn`, work of this process alone. */
  async function settle({ isOwn } = { isOwn: false }): Promise<void> {
    const begins = () => !(isOwn && leavesToOthers);
    let isElsewhere = false;
    do {
      await nextTurn();
      if (begins()) await startJobs(clock.now());
      awaitNext();
      await work.idle();
      isElsewhere = !isOwn && !isClosed && agenda.isBusyElsewhere();
      if (!isElsewhere) continue;
      await sleep(othersMs);
      await Promise.resolve(turn(() => {}));
    } while (!work.isIdle() || (begins() && nextJobAt() <= clock.now()) || isElsewhere);
  }

  /** Infinity: there is none for this process. */
  function nextJobAt(): number {
    return isClosed ? Number.POSITIVE_INFINITY : agenda.nextAt();
  }

  /** Moves the clock forward and runs all jobs due until then, in order; waits for the work they cause. Callers take turns. */
  async function advance(to: number): Promise<void> {
    advancing++;
    try {
      abortWaiting();
      await settle();
      for (let next = nextJobAt(); next <= to; next = nextJobAt()) {
        await startJobs(Math.min(to, next + batchMs));
        await settle();
      }
      await Promise.resolve(turn(() => moveClock(mock.world.clock, to)));
      runDueJobs();
    } finally {
      advancing--;
    }
  }

  return {
    wake,
    /** Makes `settle` wait for work that was started without a job. */
    track: work.track,
    settle,
    advance,
    /** Whether waiting for real time would delay a caller who moves the clock. */
    shouldAbortWaiting: () => advancing > 0 || mock.world.clock.mode === 'manual',
    /** In a shared world, schedules an attempt that this process begins at once. If it does not make the attempt, another process does. */
    claim: agenda.claim,
    /** From now on, due jobs are left to others, unless callers move the clock or wait for all pushes. */
    leaveToOthers(): void {
      leavesToOthers = true;
    },
    /** Lets others have the jobs that this process has not done. */
    async giveBack(): Promise<void> {
      isClosed = true;
      await Promise.resolve(turn(agenda.giveBack)).catch(() => {});
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
