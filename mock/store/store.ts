// A persisted world: calls run in turns, and are answered once their changes are persisted.
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../http/journal.ts';
import type { TurnOptions } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import type { Engine, Seen } from './engine.ts';
import { type StoredRows, toWorld } from './rows.ts';
import { measureAhead, nextDueOf } from './shared/agenda.ts';
import { createSharedJournal } from './shared/journal.ts';
import { messageOf, StoreError } from './store-error.ts';
import { type News, trackWorld } from './tracked-world.ts';
import type { Participant, TurnLoop } from './turn-loop.ts';
import { createWaitingLine } from './waiting-line.ts';

export type Store = ReturnType<typeof createStore>;

export interface StoreEvents {
  request: [entry: JournalEntry, isElsewhere: boolean];
  /** Another process has changed the world; undefined: anything may differ. */
  news: [news: News | undefined];
  /** The world no longer exists in the store. */
  end: [];
}

interface StoreParts {
  engine: Engine;
  loop: TurnLoop;
  worldId: number;
  world: World;
  found: StoredRows | undefined;
  log(line: string): void;
}

/** The delay before a retry after a permanent error. */
const retryMs = 1000;
/** The delay before a retry after a transient error. */
const stepMs = 100;
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
  let tracker = trackWorld(world, found, wake);
  let isInTurn = false;
  let isClosing = false;
  /** Set once nothing can be persisted any more. */
  let end: StoreError | undefined;

  const participant: Participant = {
    worldId,
    wish: journal && ((position) => journal.wish(position, line.needsJournal())),
    work(seen, until) {
      isInTurn = true;
      try {
        adopt(seen);
        const calls = line.run(until);
        return {
          batch: tracker.takeChanges({ isLast: isClosing }),
          journal: journal?.take(),
          nextDue: nextDueOf(world, aheadMs),
          calls,
        };
      } finally {
        isInTurn = false;
      }
    },
    settle() {
      journal?.commit();
      line.settle();
      if (line.length() > 0) wake();
    },
    async fail(error) {
      journal?.undo();
      await undo();
      const isTransient = error instanceof StoreError && error.isTransient && !isClosing;
      line.refuse(error, { isTransient });
      setTimeout(wake, isTransient && line.length() > 0 ? stepMs : retryMs).unref();
    },
    end() {
      stop(new StoreError(`store ${engine.place}: this world no longer exists`, { reason: 'gone' }));
      events.emit('end');
    },
  };

  /** Does nothing within a turn, which persists its own changes. */
  function wake(): void {
    if (!end && !isInTurn) loop.wake(participant);
  }

  function adopt({ others, whole, now, exchanges }: Seen): void {
    journal?.begin(exchanges);
    if (now !== undefined) aheadMs = aheadAfter(now - Date.now());
    if (whole) follow(whole);
    const news = others && tracker.apply(others);
    tracker.setAhead(aheadMs);
    if (whole || news) events.emit('news', news);
  }

  /** Replaces the contents in place, since attempts under way refer to the world object. */
  function follow(rows: StoredRows): void {
    Object.assign(world, toWorld(rows));
    tracker = trackWorld(world, rows, wake);
  }

  async function undo(): Promise<void> {
    // A world without rows stays as it is, so the next turn has to persist all of it.
    tracker.forget();
    // The next turn rereads a shared world, since the engine may not answer now.
    shared?.forget(worldId);
    if (shared) return;
    try {
      const { random } = world;
      const rows = await engine.load(worldId);
      if (rows) follow(rows);
      // Random numbers are not drawn twice, so each refused call has its own trace id.
      world.random = random;
    } catch (error) {
      // The file is consistent, but the memory may differ from it.
      log(stop(new StoreError(`${messageOf(error)}; restart the mock`)).message);
    }
  }

  function stop(why: StoreError): StoreError {
    end ??= why;
    loop.leave(participant);
    line.end(end);
    return end;
  }

  /** Returns the result of synchronous work once its changes are persisted. Rejects with a StoreError if they can't be, after undoing the work. */
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
    /** Work added within a turn joins that turn, unless it gets too long. */
    isInTurn: () => isInTurn,
    replace(other: World): void {
      world = other;
      tracker = trackWorld(world, undefined, wake);
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
          /** Milliseconds since 1970 by the clock of the engine. */
          now: () => Date.now() + aheadMs,
          journal,
        },
      }),
    events,
    /** Returns why the store can't persist anything or does not answer within two seconds; undefined: it works. */
    async check(): Promise<string | undefined> {
      if (end) return end.message;
      const late = sleep(longestCheckMs, `store ${engine.place}: no answer within 2 s`, { ref: false });
      const lackOfRoom = () => (loop.problem()?.reason === 'full' ? loop.problem()?.message : undefined);
      return Promise.race([engine.check().then(lackOfRoom), late]).catch(messageOf);
    },
    /** Persists what is left. Never fails. */
    async close(): Promise<void> {
      if (isClosing) return;
      isClosing = true;
      await loop.idle();
      if (end) return;
      end = new StoreError('the mock is shutting down');
      do await loop.takeTurn(participant);
      while (line.length() > 0);
      loop.leave(participant);
    },
  };
}
