// A world that is kept: work is done in turns, and answered when what it changed is kept.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { World } from '../world/world.ts';
import { type Engine, StoreError } from './engine.ts';
import { type KeptWorld, keepWorld } from './kept-world.ts';
import { overlay } from './overlay.ts';
import type { Batch, KeptRows } from './row.ts';
import { toWorld } from './world-rows.ts';

export interface Store {
  /** Does synchronous work, and returns its result once all that it changed is kept. Rejects with a StoreError if that can't be: then nothing of the work has happened. */
  run<Result>(work: () => Result): Promise<Result>;
  /** Waits until what was changed before is kept, by whatever. Rejects with a StoreError if that can't be yet. */
  kept(): Promise<void>;
  /** Keeps this world from now on, in place of the one before. */
  replace(world: World): void;
  /** Keeps how the world begins, as JSON. */
  begin(setup: string): void;
  status(): StoreStatus;
  /** Keeps what is left, and ends. Never fails. */
  close(): Promise<void>;
}

interface StoreStatus {
  /** Such as "SQLite". */
  engine: string;
  /** Why what was changed last could not be kept. */
  problem: string | undefined;
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

interface Waiting {
  work(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export function createStore({ engine, world: first, found, log }: StoreParts): Store {
  let world = first;
  let isAwake = false;
  let isClosing = false;
  /** Why nothing more can be kept. */
  let end: StoreError | undefined;
  let problem: string | undefined;
  let setup: string | undefined;
  let keeper: KeptWorld = keepWorld(world, found, wake);
  /** What was changed outside of turns, and could not be kept yet. */
  let unkept: Batch[] = [];
  const queue: Waiting[] = [];
  let last: Promise<void> = Promise.resolve();

  function wake(): void {
    if (isAwake || end) return;
    isAwake = true;
    last = last.then(async () => {
      await nextTurn();
      isAwake = false;
      await takeTurn();
      if (queue.length > 0) wake();
    });
  }

  /** Never fails. */
  async function takeTurn(isLast = false): Promise<void> {
    unkept.push(...changesIn(keeper.takeChanges({ isLast })));
    const done = runQueued();
    const inside = changesIn(keeper.takeChanges());
    try {
      const batches = [...unkept, ...inside];
      if (batches.length > 0 || setup !== undefined) await engine.write(batches, setup);
      unkept = [];
      setup = undefined;
      tell(undefined);
      for (const { settle } of done) settle();
    } catch (error) {
      if (inside.length > 0) await undo();
      tell(messageOf(error));
      for (const { reject } of done) reject(error);
      setTimeout(wake, retryMs).unref();
    }
  }

  function runQueued() {
    const endsAt = performance.now() + longestMs;
    const done: { settle(): void; reject(error: unknown): void }[] = [];
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { work, resolve, reject } = next;
      try {
        const result = work();
        done.push({ reject, settle: () => resolve(result) });
      } catch (error) {
        done.push({ reject, settle: () => reject(error) });
      }
      if (done.length === mostCalls || performance.now() > endsAt) break;
    }
    return done;
  }

  /** Puts the world back to what is kept and what was changed outside of turns. In place, since attempts under way hold on to it. */
  async function undo(): Promise<void> {
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

  function tell(now: string | undefined): void {
    if (now === problem) return;
    problem = now;
    log(now ?? `store ${engine.place}: it can be written again, and nothing was lost`);
  }

  function run<Result>(work: () => Result): Promise<Result> {
    if (end) return Promise.reject(end);
    wake();
    return new Promise((resolve, reject) => {
      queue.push({ work, resolve: resolve as Waiting['resolve'], reject });
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
    status: () => ({ engine: engine.name, problem }),
    async close() {
      if (isClosing) return;
      isClosing = true;
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
