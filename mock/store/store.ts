// A persisted world: work is done in turns, and answered when its changes are persisted.
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../http/journal.ts';
import type { TurnOptions } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import { type Engine, type Member, messageOf, type Seen, StoreError } from './engine.ts';
import { type KeptWorld, keepWorld, type News } from './kept-world.ts';
import { type Batch, joinBatches, type KeptRows, overlay, toWorld } from './rows.ts';
import { measureAhead, nextDueOf } from './shared/agenda.ts';
import { createSharedJournal, type SharedJournal } from './shared/journal.ts';
import type { Participant, TurnLoop } from './turn-loop.ts';
import { createWaitingLine, type Done } from './waiting-line.ts';

export interface Store {
  /** Does synchronous work, and returns its result once all changes are persisted. Rejects with a StoreError if they can't be: then the work has not happened. */
  turn<Result>(work: () => Result, options?: TurnOptions): Promise<Result>;
  /** Whether a turn is doing work right now. Work that is added then is done in the same turn, unless the turn gets too long. */
  isInTurn(): boolean;
  /** Persists this world from now on, in place of the one before. */
  replace(world: World): void;
  /** Persists how the world begins, as JSON. */
  begin(setup: string): void;
  status(): StoreStatus;
  /** Undefined: no other process uses the store. */
  shared?: SharedStore;
  /** Why the store does not answer within two seconds, or can't persist anything; undefined: it can. */
  check(): Promise<string | undefined>;
  /** Called when another process has ended the world. */
  onEnd(listen: () => void): void;
  /** Persists what is left, and ends. Never fails. */
  close(): Promise<void>;
}

export interface SharedStore {
  /** The id of this process. */
  id: string;
  /** Milliseconds since 1970, by the clock of the engine. */
  now(): number;
  /** The requests of all processes. A request is told when it is persisted. */
  journal: SharedJournal;
  onRequest(listen: (entry: JournalEntry, told: { isElsewhere: boolean }) => void): void;
  /** Called after others have changed the world; without news, anything may have changed. */
  onNews(listen: (news: News | undefined) => void): void;
}

interface StoreStatus {
  /** Such as "SQLite". */
  engine: string;
  /** Why the last changes could not be persisted. */
  problem: string | undefined;
  /** How many processes use a shared store, and how many worlds it has. */
  replicas?: number;
  worlds?: number;
}

interface StoreParts {
  engine: Engine;
  loop: TurnLoop;
  worldId: number;
  world: World;
  /** The rows of the world; undefined: it is not persisted yet. */
  found: KeptRows | undefined;
  log(line: string): void;
}

/** After this time the store tries again to persist changes. */
const retryMs = 1000;
/** After a transient error the store tries calls again in these steps. */
const stepMs = 100;
/** How long `check` waits for the engine. */
const longestCheckMs = 2000;

export function createStore({ engine, loop, worldId, world: first, found, log }: StoreParts): Store {
  let world = first;
  let isClosing = false;
  /** Whether the turn is the last one: it persists what may wait otherwise. */
  let isLast = false;
  let isInTurn = false;
  /** Why nothing can be persisted any more. */
  let end: StoreError | undefined;
  let setup: string | undefined;
  let keeper: KeptWorld = keepWorld(world, found, wake);
  /** Changes outside of turns that could not be persisted yet. */
  let unkept: Batch | undefined;
  const line = createWaitingLine();
  /** How many milliseconds the clock of the engine is ahead of this machine's. */
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
  /** The turn that is under way. */
  let turn: {
    done: Done[];
    hasChanged: boolean;
    mark: number;
    /** The setup that it persists. */
    begins: string | undefined;
    news?: { of: News | undefined };
  } = idleTurn();

  const participant: Participant = {
    worldId,
    member: memberOf,
    settle() {
      const { done, news, begins } = turn;
      turn = idleTurn();
      unkept = undefined;
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

  /** Within a turn, nothing is to be done: the turn persists these changes. */
  function wake(): void {
    if (!end && !isInTurn) loop.wake(participant);
  }

  function memberOf(until: () => number): ReturnType<Participant['member']> {
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
      unkept = joinBatches(unkept, keeper.takeChanges({ isLast }));
      const mark = journal?.mark() ?? 0;
      const done = line.run(until());
      const inside = keeper.takeChanges();
      turn = { done, hasChanged: inside !== undefined, mark, begins, ...(news && { news }) };
      return {
        batch: joinBatches(unkept, inside),
        setup: begins,
        journal: journal?.take(),
        nextDue: nextDueOf(world, aheadMs),
      };
    }
  }

  /** Makes the changes of others in this world. Returns the news, if there are any. */
  function adopt({ others, whole, now, exchanges }: Seen): { of: News | undefined } | undefined {
    let news: News | undefined;
    if (exchanges) journal?.adopt(exchanges);
    if (whole) {
      Object.assign(world, toWorld(whole));
      keeper = keepWorld(world, whole, wake);
      keeper.setAhead(aheadMs);
      unkept = undefined;
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

  /** After a transient error the work is tried again. */
  function refuse(done: readonly Done[], error: unknown): void {
    const isTransient = error instanceof StoreError && error.isTransient && !isClosing;
    line.refuse(done, error, { isTransient });
    setTimeout(wake, isTransient && line.length() > 0 ? stepMs : retryMs).unref();
  }

  /** Puts the world back to its rows and the changes outside of turns. In place, since attempts under way refer to it. */
  async function undo(): Promise<void> {
    if (shared) {
      // The next turn reads the world anew, when the engine answers again.
      shared.forget(worldId);
      return;
    }
    try {
      const kept = await engine.load(worldId);
      const rows = unkept ? overlay(kept, unkept) : kept;
      if (rows) Object.assign(world, toWorld(rows));
      if (rows) keeper = keepWorld(world, rows, wake);
    } catch (error) {
      // The disk is consistent, but the memory may differ from it.
      stop(new StoreError(`${messageOf(error)}; start the mock again`));
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
      problem: end && !isClosing ? end.message : loop.problem()?.message,
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
    async check() {
      if (end) return end.message;
      const late = sleep(longestCheckMs, `store ${engine.place}: no answer within 2 s`, { ref: false });
      const lackOfRoom = () => (loop.problem()?.reason === 'full' ? loop.problem()?.message : undefined);
      return Promise.race([engine.check().then(lackOfRoom), late]).catch(messageOf);
    },
    onEnd: (listen) => void endListeners.push(listen),
    async close() {
      if (isClosing) return;
      isClosing = true;
      await loop.idle();
      const isWhole = end === undefined;
      end ??= new StoreError('the mock is ending');
      while (isWhole && line.length() > 0) await loop.takeTurn([participant]);
      isLast = true;
      if (isWhole) await loop.takeTurn([participant]);
      loop.leave(participant);
    },
  };
}
