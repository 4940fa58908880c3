// A persisted world: work is done in turns, and answered when its changes are persisted.
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../http/journal.ts';
import type { TurnOptions } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import type { Engine, Seen } from './engine.ts';
import { keepWorld, type News } from './kept-world.ts';
import { type KeptRows, toWorld } from './rows.ts';
import { measureAhead, nextDueOf } from './shared/agenda.ts';
import { createSharedJournal } from './shared/journal.ts';
import { messageOf, StoreError } from './store-error.ts';
import type { Participant, TurnLoop } from './turn-loop.ts';
import { createWaitingLine } from './waiting-line.ts';

export type Store = ReturnType<typeof createStore>;

interface StoreEvents {
  /** A request of any process, once it is persisted. */
  request: [entry: JournalEntry, isElsewhere: boolean];
  /** Others have changed the world; without news, anything may have changed. */
  news: [news: News | undefined];
  /** Another process has ended the world. */
  end: [];
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

export function createStore({ engine, loop, worldId, world: first, found, log }: StoreParts) {
  const { shared } = engine;
  const events = new EventEmitter<StoreEvents>();
  const line = createWaitingLine();
  const journal =
    shared && createSharedJournal((entry, isElsewhere) => events.emit('request', entry, isElsewhere), wake);
  const aheadAfter = measureAhead();
  /** How many milliseconds the clock of the engine is ahead of this machine's. */
  let aheadMs = 0;
  let world = first;
  let keeper = keepWorld(world, found, wake);
  let isInTurn = false;
  let isClosing = false;
  /** Why nothing can be persisted any more. */
  let end: StoreError | undefined;

  const participant: Participant = {
    worldId,
    wish: journal && ((place) => journal.wish(place, line.needsJournal())),
    work(seen, until) {
      isInTurn = true;
      try {
        adopt(seen);
        const calls = line.run(until);
        return {
          batch: keeper.takeChanges({ isLast: isClosing }),
          journal: journal?.take(),
          nextDue: nextDueOf(world, aheadMs),
          calls,
        };
      } finally {
        isInTurn = false;
      }
    },
    settle() {
      journal?.keep();
      line.settle();
      if (line.length() > 0) wake();
    },
    async fail(error) {
      journal?.undo();
      await undo();
      // After a transient error the work is tried again.
      const isTransient = error instanceof StoreError && error.isTransient && !isClosing;
      line.refuse(error, { isTransient });
      setTimeout(wake, isTransient && line.length() > 0 ? stepMs : retryMs).unref();
    },
    end() {
      stop(new StoreError(`store ${engine.place}: this world is no more`, { reason: 'gone' }));
      events.emit('end');
    },
  };

  /** Within a turn, nothing is to be done: the turn persists these changes. */
  function wake(): void {
    if (!end && !isInTurn) loop.wake(participant);
  }

  /** Makes the changes of others in this world. */
  function adopt({ others, whole, now, exchanges }: Seen): void {
    journal?.begin(exchanges);
    if (now !== undefined) aheadMs = aheadAfter(now - Date.now());
    if (whole) follow(whole);
    const news = others && keeper.apply(others);
    keeper.setAhead(aheadMs);
    if (whole || news) events.emit('news', news);
  }

  /** Goes on with a persisted world, in place, since attempts under way refer to it. */
  function follow(rows: KeptRows): void {
    Object.assign(world, toWorld(rows));
    keeper = keepWorld(world, rows, wake);
  }

  /** Puts the world back to what is persisted. */
  async function undo(): Promise<void> {
    // A world without rows stays as it is, and the next turn persists all of it.
    keeper.forget();
    // The next turn reads a shared world anew, when the engine answers again.
    shared?.forget(worldId);
    if (shared) return;
    try {
      const { random } = world;
      const rows = await engine.load(worldId);
      if (rows) follow(rows);
      // What was drawn is not drawn again: each refused call has a trace id of its own.
      world.random = random;
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

  /** Does synchronous work, and returns its result once all changes are persisted. Rejects with a StoreError if they can't be: then the work has not happened. */
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
    /** Whether a turn is doing work right now. Work that is added then is done in the same turn, unless the turn gets too long. */
    isInTurn: () => isInTurn,
    /** Persists this world from now on, in place of the one before. */
    replace(other: World): void {
      world = other;
      keeper = keepWorld(world, undefined, wake);
      wake();
    },
    status: () => ({
      /** Such as "SQLite". */
      engine: engine.name,
      /** Why the last changes could not be persisted. */
      problem: end && !isClosing ? end.message : loop.problem()?.message,
      ...shared?.counts(),
    }),
    /** Undefined: no other process uses the store. */
    ...(shared &&
      journal && {
        shared: {
          /** Of this process. */
          id: shared.id,
          /** Milliseconds since 1970, by the clock of the engine. */
          now: () => Date.now() + aheadMs,
          /** The requests of all processes. */
          journal,
        },
      }),
    events,
    /** Why the store does not answer within two seconds, or can't persist anything; undefined: it can. */
    async check(): Promise<string | undefined> {
      if (end) return end.message;
      const late = sleep(longestCheckMs, `store ${engine.place}: no answer within 2 s`, { ref: false });
      const lackOfRoom = () => (loop.problem()?.reason === 'full' ? loop.problem()?.message : undefined);
      return Promise.race([engine.check().then(lackOfRoom), late]).catch(messageOf);
    },
    /** Persists what is left, and ends. Never fails. */
    async close(): Promise<void> {
      if (isClosing) return;
      isClosing = true;
      await loop.idle();
      if (end) return;
      end = new StoreError('the mock is ending');
      do await loop.takeTurn(participant);
      while (line.length() > 0);
      loop.leave(participant);
    },
  };
}
