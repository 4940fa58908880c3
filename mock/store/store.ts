// A world that is kept: work is done in turns, and answered when what it changed is kept.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JournalEntry } from '../http/journal-entries.ts';
import type { World } from '../world/world.ts';
import { type Engine, type Seen, StoreError } from './engine.ts';
import { type KeptWorld, keepWorld } from './kept-world.ts';
import type { News } from './news.ts';
import { overlay } from './overlay.ts';
import type { Batch, KeptRows } from './row.ts';
import { createSharedJournal, type JournalPlace, type SharedJournal } from './shared-journal.ts';
import { toWorld } from './world-rows.ts';

export interface Store {
  /** Does synchronous work, and returns its result once all that it changed is kept. Rejects with a StoreError if that can't be: then nothing of the work has happened. */
  run<Result>(work: () => Result, needs?: Needs): Promise<Result>;
  /** Waits until what was changed before is kept, by whatever. Rejects with a StoreError if that can't be yet. */
  kept(): Promise<void>;
  /** Keeps this world from now on, in place of the one before. */
  replace(world: World): void;
  /** Keeps how the world begins, as JSON. */
  begin(setup: string): void;
  status(): StoreStatus;
  /** Of a store that other processes use, too. */
  shared?: SharedStore;
  /** Keeps what is left, and ends. Never fails. */
  close(): Promise<void>;
}

interface Needs {
  /** All of the journal, also what others have added. */
  journal: boolean;
}

export interface SharedStore {
  /** Of this process, as others know it. */
  id: string;
  /** Milliseconds since 1970, by the clock of the engine. */
  now(): number;
  /** Of what came to any of the processes; what is added is told when it is kept. */
  journal: SharedJournal;
  onRequest(listen: (entry: JournalEntry, told: { isElsewhere: boolean }) => void): void;
  /** Called after others have changed the world; without news, in any way. */
  onNews(listen: (news: News | undefined) => void): void;
}

interface StoreStatus {
  /** Such as "SQLite". */
  engine: string;
  /** Why what was changed last could not be kept. */
  problem: string | undefined;
  /** How many processes share it, where it can be shared. */
  replicas?: number;
}

interface StoreParts {
  engine: Engine;
  world: World;
  /** The rows of the world; undefined of one that is not kept yet. */
  found: KeptRows | undefined;
  log(line: string): void;
}

/** A turn takes no more calls than these, and no longer, so that pushes and control calls have theirs. */
const mostCalls = 256;
const longestMs = 50;
/** So long after something could not be kept, it is tried again. */
const retryMs = 1000;
/** Where the engine may be back at once, calls are tried again in these steps, and for so long. */
const stepMs = 100;
const patienceMs = 2000;
/** So often a shared store is asked for what others have done. */
const newsEveryMs = 250;
/** Clocks that differ by less are taken for the same: that is how long an answer takes. */
const mostJitterMs = 50;

interface Waiting {
  work(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  since: number;
  needsJournal: boolean;
}

/** A piece of work that was done in a turn. */
interface Done extends Waiting {
  settle(): void;
}

export function createStore({ engine, world: first, found, log }: StoreParts): Store {
  let world = first;
  let isAwake = false;
  let isInTurn = false;
  let isLooking = false;
  let isClosing = false;
  /** Why nothing more can be kept. */
  let end: StoreError | undefined;
  let problem: string | undefined;
  let setup: string | undefined;
  let keeper: KeptWorld = keepWorld(world, found, wake);
  /** What was changed outside of turns, and could not be kept yet. */
  let unkept: Batch[] = [];
  let queue: Waiting[] = [];
  let last: Promise<void> = Promise.resolve();
  /** How far the clock of the engine is ahead of that of this machine. */
  let aheadMs = 0;
  const newsListeners: Parameters<SharedStore['onNews']>[0][] = [];
  const requestListeners: Parameters<SharedStore['onRequest']>[0][] = [];
  const { shared } = engine;
  const journal =
    shared &&
    createSharedJournal((entry, told) => {
      for (const listen of requestListeners) listen(entry, told);
    }, wake);
  const newsTimer = shared && setInterval(() => void lookForNews(), newsEveryMs).unref();

  function wake(): void {
    if (isAwake || end) return;
    isAwake = true;
    last = last.then(async () => {
      await nextTurn();
      isAwake = false;
      isInTurn = true;
      await takeTurn();
      isInTurn = false;
      if (queue.length > 0) wake();
    });
  }

  /** Never fails. */
  async function takeTurn(isLast = false): Promise<void> {
    let done: Done[] = [];
    let news: { of: News | undefined } | undefined;
    let hasChanged = false;
    let mark = journal?.mark() ?? 0;
    const wish =
      journal &&
      ((place: JournalPlace) =>
        journal.wish(
          place,
          queue.some(({ needsJournal }) => needsJournal),
        ));
    try {
      await engine.turn((seen) => {
        news = adopt(seen);
        unkept.push(...changesIn(keeper.takeChanges({ isLast })));
        mark = journal?.mark() ?? 0;
        done = runQueued();
        const inside = changesIn(keeper.takeChanges());
        hasChanged = inside.length > 0;
        return { batches: [...unkept, ...inside], setup, journal: journal?.take() };
      }, wish);
      unkept = [];
      setup = undefined;
      tell(undefined);
      journal?.keep();
      for (const { settle } of done) settle();
    } catch (error) {
      journal?.undo(mark);
      if (hasChanged || shared) await undo();
      tell(messageOf(error));
      refuse(done, error);
    }
    if (news) for (const listen of newsListeners) listen(news.of);
  }

  /** What others have done is done here. Returns the news, if there are any. */
  function adopt({ others, whole, now, exchanges }: Seen): { of: News | undefined } | undefined {
    let news: News | undefined;
    if (exchanges) journal?.adopt(exchanges);
    if (whole) {
      Object.assign(world, toWorld(whole));
      keeper = keepWorld(world, whole, wake);
      keeper.setAhead(aheadMs);
      unkept = [];
    } else if (others) news = keeper.apply(others);
    if (now !== undefined && Math.abs(now - Date.now() - aheadMs) > mostJitterMs) {
      aheadMs = now - Date.now();
      keeper.setAhead(aheadMs);
    }
    return whole || others ? { of: news } : undefined;
  }

  /** What may work soon is tried again. */
  function refuse(done: readonly Done[], error: unknown): void {
    const isTransient = error instanceof StoreError && error.isTransient && !isClosing;
    const waiting: readonly Waiting[] = [...done, ...queue];
    const isOver = ({ since }: Waiting) => !isTransient || performance.now() > since + patienceMs;
    // What was not done yet waits for the next turn, or is told the same.
    const over: readonly Waiting[] = isTransient ? waiting.filter(isOver) : done.length > 0 ? done : queue;
    queue = waiting.filter((one) => !over.includes(one));
    for (const { reject } of over) reject(error);
    setTimeout(wake, isTransient && queue.length > 0 ? stepMs : retryMs).unref();
  }

  function runQueued(): Done[] {
    const endsAt = performance.now() + longestMs;
    const done: Done[] = [];
    for (let next = queue.shift(); next; next = queue.shift()) {
      const waiting = next;
      try {
        const result = waiting.work();
        // It is handed over when the turn is kept, and may fail before.
        if (result instanceof Promise) result.catch(() => {});
        done.push({ ...waiting, settle: () => waiting.resolve(result) });
      } catch (error) {
        done.push({ ...waiting, settle: () => waiting.reject(error) });
      }
      if (done.length === mostCalls || performance.now() > endsAt) break;
    }
    return done;
  }

  /** Puts the world back to what is kept and what was changed outside of turns. In place, since attempts under way hold on to it. */
  async function undo(): Promise<void> {
    if (shared) {
      // The next turn reads it anew, when the engine is there again.
      shared.forget();
      return;
    }
    try {
      const rows = overlay(await engine.load(), unkept);
      Object.assign(world, toWorld(rows));
      keeper = keepWorld(world, rows, wake);
    } catch (error) {
      // What is on the disk is whole, and what is in memory is not known to be the same.
      end = new StoreError(`${messageOf(error)}; start the mock again`);
      log(end.message);
      for (const { reject } of queue.splice(0)) reject(end);
    }
  }

  /** Never while a turn is under way: that sees what is new by itself. */
  async function lookForNews(): Promise<void> {
    if (isAwake || isInTurn || isLooking || end) return;
    isLooking = true;
    try {
      if (await shared?.hasNews()) wake();
    } catch (error) {
      tell(messageOf(error));
    }
    isLooking = false;
  }

  function tell(now: string | undefined): void {
    if (now === problem) return;
    problem = now;
    log(now ?? `store ${engine.place}: it can be used again, and nothing was lost`);
  }

  function run<Result>(
    work: () => Result,
    { journal: needsJournal }: Needs = { journal: false },
  ): Promise<Result> {
    if (end) return Promise.reject(end);
    wake();
    return new Promise((resolve, reject) => {
      const since = performance.now();
      queue.push({ work, resolve: resolve as Waiting['resolve'], reject, since, needsJournal });
    });
  }

  return {
    run,
    kept: () => run(() => {}),
    replace(other) {
      world = other;
      keeper = keepWorld(world, undefined, wake);
      wake();
    },
    begin(given) {
      setup = given;
      wake();
    },
    status: () => ({ engine: engine.name, problem, ...(shared && { replicas: shared.countReplicas() }) }),
    ...(shared &&
      journal && {
        shared: {
          id: shared.id,
          now: () => Date.now() + aheadMs,
          journal,
          onRequest: (listen) => void requestListeners.push(listen),
          onNews: (listen) => void newsListeners.push(listen),
        },
      }),
    async close() {
      if (isClosing) return;
      isClosing = true;
      clearInterval(newsTimer);
      await last;
      const isWhole = end === undefined;
      end ??= new StoreError('the mock is ending');
      while (isWhole && queue.length > 0) await takeTurn();
      if (isWhole) await takeTurn(true);
      await engine.close();
    },
  };
}

/** The batch, unless nothing has changed. */
function changesIn(batch: Batch): Batch[] {
  return batch.isWhole || batch.head !== undefined || batch.rows.length > 0 ? [batch] : [];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
