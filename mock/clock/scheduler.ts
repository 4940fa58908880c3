import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Job, Task } from '../world/entries.ts';
import { type Clock, longestTimerMs, moveClock } from '../world/time.ts';
import type { Turn } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import { createWork, type Rest } from './work.ts';

export type Scheduler = ReturnType<typeof createScheduler>;

interface TimedMock {
  /** A reset replaces the world, so it must not be copied. */
  readonly world: World;
  clock: Clock;
  turn: Turn;
  store?: { isInTurn(): boolean };
}

/** The jobs that this process may run. `take`, `claim` and `giveBack` must be called in a turn. */
export interface Agenda {
  /** When the next job is due, by the clock of the world; Infinity if there is none. */
  nextAt(): number;
  take(until: number): TakenJob[];
  /** Reconsiders due jobs that `take` left because too many attempts were claimed. */
  lookAgain(): void;
  /** Whether other processes have claimed jobs that are due. */
  isBusyElsewhere(): boolean;
  /** Schedules an attempt that this process begins at once. Undefined if no other process could take it over. */
  claim(task: Task): Claim | undefined;
  /** Ends the claims of this process, so that others take over its attempts. */
  giveBack(): void;
}

export interface TakenJob {
  job: Job;
  claim?: Claim;
}

export interface Claim {
  /** Whether an earlier claim began the attempt and did not end it. */
  isAgain: boolean;
  /** Ends the attempt. Returns false if another process has claimed it, and the result must be dropped. */
  release(): boolean;
}

interface JobRunner {
  agenda: Agenda;
  /** Changes the world, and returns the work to do once the changes are persisted. Must not throw. */
  begin(job: Job, claim?: Claim): Rest | undefined;
  /** Called with the error of work that `begin` returned. */
  report(failure: unknown): void;
  abortWaiting(): void;
}

/** `advance` runs jobs within this time as one batch, since no job schedules another one so soon. */
const batchMs = 1000;
/** How often `settle` checks whether other processes are done. */
const othersMs = 50;
/** How long due jobs wait after the store failed to persist their changes. */
const againMs = 1000;

export function createScheduler(mock: TimedMock, { agenda, begin, report, abortWaiting }: JobRunner) {
  const { clock, turn } = mock;
  const isInTurn = () => mock.store?.isInTurn() ?? false;
  const work = createWork(report);
  let isAdvancing = false;
  let timer: NodeJS.Timeout | undefined;
  let isWakePending = false;
  let isClosed = false;
  let leavesToOthers = false;

  /** Returns a promise only with a store; it rejects if the changes can't be persisted. */
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
    // A manual clock does not reach later jobs by itself.
    if (wait < Number.POSITIVE_INFINITY && mock.world.clock.mode === 'real') setTimer(wait);
  }

  function setTimer(wait: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(runDueJobs, Math.min(wait, longestTimerMs)).unref();
  }

  /** Must be called after a job was scheduled. Due jobs run soon, but after the current answer is sent. */
  function wake(): void {
    agenda.lookAgain();
    if (isWakePending) return;
    isWakePending = true;
    const run = () => {
      isWakePending = false;
      runDueJobs();
    };
    // Work added within a turn runs at the end of that turn.
    if (isInTurn()) run();
    else setImmediate(run);
  }

  /** Waits until no work is running and no job is due; `isOwn` ignores other processes. */
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
      await turn(() => {});
    } while (!work.isIdle() || (begins() && nextJobAt() <= clock.now()) || isElsewhere);
  }

  function nextJobAt(): number {
    return isClosed ? Number.POSITIVE_INFINITY : agenda.nextAt();
  }

  /** Runs all jobs due until then in order, and waits for the work they cause. Calls must not overlap. */
  async function advance(to: number): Promise<void> {
    isAdvancing = true;
    try {
      abortWaiting();
      await settle();
      for (let next = nextJobAt(); next <= to; next = nextJobAt()) {
        await startJobs(Math.min(to, next + batchMs));
        await settle();
      }
      await turn(() => moveClock(mock.world.clock, to));
      runDueJobs();
    } finally {
      isAdvancing = false;
    }
  }

  return {
    wake,
    track: work.track,
    settle,
    advance,
    /** Whether waiting in real time would delay a caller who advances the clock. */
    shouldAbortWaiting: () => isAdvancing || mock.world.clock.mode === 'manual',
    claim: agenda.claim,
    /** Leaves due jobs to other processes, unless a caller advances the clock or waits for all pushes. */
    leaveToOthers(): void {
      leavesToOthers = true;
    },
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
