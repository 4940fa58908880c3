// A world that is kept: work is done in turns, and answered when what it changed is kept.
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../http/journal.ts';
import type { TurnOptions } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import { checkEngine } from './check-engine.ts';
import { type Engine, type Member, type Seen, StoreError } from './engine.ts';
import { measureAhead } from './engine-clock.ts';
import { type KeptWorld, keepWorld } from './kept/kept-world.ts';
import type { News } from './kept/news.ts';
import { nextDueOf } from './next-due.ts';
import { overlay } from './rows/overlay.ts';
import type { Batch, KeptRows } from './rows/row.ts';
import { toWorld } from './rows/world-rows.ts';
import { createSharedJournal, type SharedJournal } from './shared-journal.ts';
import type { Participant, TurnLoop } from './turn-loop.ts';
import { createWaitingLine, type Done } from './waiting-line.ts';

export interface Store {
  /** Does synchronous work, and returns its result once all that it changed is persisted. Rejects with a StoreError if that can't be: then nothing of the work has happened. */
  turn<Result>(work: () => Result, options?: TurnOptions): Promise<Result>;
  /** Whether it is doing work right now: what is given to it then is done in the same turn, unless that gets too long. */
  isInTurn(): boolean;
  /** Keeps this world from now on, in place of the one before. */
  replace(world: World): void;
  /** Keeps how the world begins, as JSON. */
  begin(setup: string): void;
  status(): StoreStatus;
  /** Of a store that other processes use, too. */
  shared?: SharedStore;
  /** Whether it answers within two seconds; if not, why. */
  check(): Promise<string | undefined>;
  /** Called when the world is no more, since another process has ended it. */
  onEnd(listen: () => void): void;
  /** Keeps what is left, and ends. Never fails. */
  close(): Promise<void>;
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
  /** How many processes share it, and how many worlds there are, where it can be shared. */
  replicas?: number;
  worlds?: number;
}

interface StoreParts {
  engine: Engine;
  loop: TurnLoop;
  worldId: number;
  world: World;
  /** The rows of the world; undefined of one that is not kept yet. */
  found: KeptRows | undefined;
  log(line: string): void;
}

/** So long after something could not be kept, it is tried again. */
const retryMs = 1000;
/** Where the engine may be back at once, calls are tried again in these steps. */
const stepMs = 100;

export function createStore({ engine, loop, worldId, world: first, found, log }: StoreParts): Store {
  let world = first;
  let isClosing = false;
  let isInTurn = false;
  /** Why nothing more can be kept. */
  let end: StoreError | undefined;
  let setup: string | undefined;
  let keeper: KeptWorld = keepWorld(world, found, wake);
  /** What was changed outside of turns, and could not be kept yet. */
  let unkept: Batch[] = [];
  const line = createWaitingLine();
  /** How far the clock of the engine is ahead of that of this machine. */
  let aheadMs = 0;
  const aheadAfter = measureAhead();
  const newsListeners: Parameters<SharedStore['onNews']>[0][] = [];
  const requestListeners: Parameters<SharedStore['onRequest']>[0][] = [];
  const endListeners: (() => void)[] = [];
  const { shared } = engine;
  const journal =
    shared &&
    createSharedJournal((entry, told) => {
      for (const listen of requestListeners) listen(entry, told);
    }, wake);
  /** Of the turn that is under way. */
  let turn: {
    done: Done[];
    hasChanged: boolean;
    mark: number;
    /** The setup that it keeps. */
    begins: string | undefined;
    news?: { of: News | undefined };
  } = idleTurn();

  const participant: Participant = {
    worldId,
    member: (until) => memberOf(until, { isLast: false }),
    settle() {
      const { done, news, begins } = turn;
      turn = idleTurn();
      unkept = [];
      if (setup === begins) setup = undefined;
      journal?.keep();
      for (const { settle } of done) settle();
      if (line.length() > 0) wake();
      tellNews(news);
    },
    async fail(error) {
      const { done, hasChanged, mark, news } = turn;
      turn = idleTurn();
      journal?.undo(mark);
      if (hasChanged || shared) await undo();
      refuse(done, error);
      tellNews(news);
    },
    end() {
      stop(new StoreError(`store ${engine.place}: this world is no more`, { reason: 'gone' }));
      for (const listen of endListeners) listen();
    },
  };

  function idleTurn(): typeof turn {
    return { done: [], hasChanged: false, mark: journal?.mark() ?? 0, begins: undefined };
  }

  /** What is changed in a turn is kept with it. */
  function wake(): void {
    if (!end && !isInTurn) loop.wake(participant);
  }

  function memberOf(until: () => number, { isLast }: { isLast: boolean }): ReturnType<Participant['member']> {
    const begins = setup;
    return {
      worldId,
      begins: begins !== undefined,
      done: () => turn.done.length,
      wish: journal && ((place) => journal.wish(place, line.needsJournal())),
      work(seen) {
        isInTurn = true;
        try {
          return workIn(seen);
        } finally {
          isInTurn = false;
        }
      },
    };

    function workIn(seen: Seen): ReturnType<Member['work']> {
      const news = adopt(seen);
      unkept.push(...changesIn(keeper.takeChanges({ isLast })));
      const mark = journal?.mark() ?? 0;
      const done = line.run(until());
      const inside = changesIn(keeper.takeChanges());
      turn = { done, hasChanged: inside.length > 0, mark, begins, ...(news && { news }) };
      const batches = [...unkept, ...inside];
      return { batches, setup: begins, journal: journal?.take(), nextDue: nextDueOf(world, aheadMs) };
    }
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
    if (now !== undefined) {
      aheadMs = aheadAfter(now - Date.now());
      keeper.setAhead(aheadMs);
    }
    return whole || others ? { of: news } : undefined;
  }

  function tellNews(news: { of: News | undefined } | undefined): void {
    if (news) for (const listen of newsListeners) listen(news.of);
  }

  /** What may work soon is tried again. */
  function refuse(done: readonly Done[], error: unknown): void {
    const isTransient = error instanceof StoreError && error.isTransient && !isClosing;
    line.refuse(done, error, { isTransient });
    setTimeout(wake, isTransient && line.length() > 0 ? stepMs : retryMs).unref();
  }

  /** Puts the world back to what is kept and what was changed outside of turns. In place, since attempts under way hold on to it. */
  async function undo(): Promise<void> {
    if (shared) {
      // The next turn reads it anew, when the engine is there again.
      shared.forget(worldId);
      return;
    }
    try {
      const kept = await engine.load(worldId);
      const rows = kept && overlay(kept, unkept);
      if (rows) Object.assign(world, toWorld(rows));
      if (rows) keeper = keepWorld(world, rows, wake);
    } catch (error) {
      // What is on the disk is whole, and what is in memory is not known to be the same.
      stop(new StoreError(`${error instanceof Error ? error.message : String(error)}; start the mock again`));
      if (end) log(end.message);
    }
  }

  function stop(why: StoreError): void {
    end ??= why;
    loop.leave(participant);
    line.end(end);
  }

  async function takeTurn<Result>(
    work: () => Result,
    { journal: needsJournal = false, isSure = false }: TurnOptions = {},
  ): Promise<Result> {
    for (;;) {
      if (end) throw end;
      wake();
      try {
        return await line.add(work, needsJournal);
      } catch (error) {
        if (!isSure || end) throw error;
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }

  loop.join(participant);
  return {
    turn: takeTurn,
    isInTurn: () => isInTurn,
    replace(other) {
      world = other;
      keeper = keepWorld(world, undefined, wake);
      wake();
    },
    begin(given) {
      setup = given;
      wake();
    },
    status: () => ({
      engine: engine.name,
      problem: end && !isClosing ? end.message : loop.problem(),
      ...shared?.counts(),
    }),
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
    check: async () => (await checkEngine(engine, end)) ?? loop.lackOfRoom(),
    onEnd: (listen) => void endListeners.push(listen),
    async close() {
      if (isClosing) return;
      isClosing = true;
      await loop.idle();
      const isWhole = end === undefined;
      end ??= new StoreError('the mock is ending');
      const last = (isLast: boolean): Participant => ({
        ...participant,
        member: (until) => memberOf(until, { isLast }),
      });
      while (isWhole && line.length() > 0) await loop.takeTurn([last(false)]);
      if (isWhole) await loop.takeTurn([last(true)]);
      loop.leave(participant);
    },
  };
}

/** The batch, unless nothing has changed. */
function changesIn(batch: Batch): Batch[] {
  return batch.isWhole || batch.head !== undefined || batch.rows.length > 0 ? [batch] : [];
}
