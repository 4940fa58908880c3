// Takes turns: each persists the changes of all worlds in one commit.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Metrics } from '../metrics/metrics.ts';
import { countTurn } from './count-turn.ts';
import { type Engine, type Member, messageOf, StoreError } from './engine.ts';

/** A world that this process has in memory. */
export interface Participant {
  worldId: number;
  /** Its part of the next turn. `until` is called when the work begins, and returns about when it has to end, by performance.now(). */
  member(until: () => number): Member & { done(): number };
  /** The turn was persisted. */
  settle(): void;
  /** The turn was not persisted. Returns when the world is as it was before. The participant itself tries again. */
  fail(error: unknown): Promise<void>;
  /** Another process has ended the world. */
  end(): void;
}

export interface TurnLoop {
  /** Takes a turn soon. */
  wake(participant: Participant): void;
  /** The world takes part from now on, and hears what others do. */
  join(participant: Participant): void;
  leave(participant: Participant): void;
  /** The worlds that take part. */
  worldIds(): number[];
  /** Waits until no turn is under way. */
  idle(): Promise<void>;
  /** Takes a turn after the one that is under way. Never fails. */
  takeTurn(participants: readonly Participant[]): Promise<void>;
  /** Why the last changes could not be persisted. */
  problem(): Problem | undefined;
  close(): void;
}

/** About how long a turn may take, so that pushes and control calls get theirs. */
const longestMs = 50;
/** How long a turn waits for the worlds of the last one, as a share of its time. */
const gatheringShare = 0.25;
/** How often a shared store is asked for the changes of others. */
const newsEveryMs = 250;

interface LoopParts {
  engine: Engine;
  log(line: string): void;
  metrics: Metrics;
}

export function createTurnLoop({ engine, log, metrics }: LoopParts): TurnLoop {
  const { shared } = engine;
  const participants = new Set<Participant>();
  const awake = new Set<Participant>();
  let isAwake = false;
  let isInTurn = false;
  let isLooking = false;
  let lastKept = { worlds: 0, tookMs: 0 };
  let problem: Problem | undefined;
  let last: Promise<void> = Promise.resolve();
  const newsTimer = shared && setInterval(() => void lookForNews(), newsEveryMs).unref();

  function wake(participant: Participant): void {
    awake.add(participant);
    if (isAwake) return;
    isAwake = true;
    last = last.then(async () => {
      await gather();
      isAwake = false;
      isInTurn = true;
      const taking = [...awake];
      awake.clear();
      await take(taking);
      isInTurn = false;
      const [more] = awake;
      if (more) wake(more);
    });
  }

  /** Callers who were answered soon call again, and one turn of many worlds costs less than many turns. */
  async function gather(): Promise<void> {
    await nextTurn();
    const longestWaitMs = Math.min(lastKept.tookMs, longestMs) * gatheringShare;
    for (let ms = 1; ms <= longestWaitMs && awake.size < lastKept.worlds; ms++) await wait(1);
  }

  /** Never fails. */
  async function take(taking: readonly Participant[]): Promise<void> {
    if (taking.length === 0) return;
    const counted = countTurn(metrics);
    const beganAt = performance.now();
    lastKept = { worlds: 0, tookMs: 0 };
    try {
      // The time begins when the worlds are locked.
      let end: number | undefined;
      const until = () => {
        end ??= performance.now() + longestMs;
        return end;
      };
      const gone = await engine.turn(taking.map((one) => counted.member(one.member(until))));
      counted.end();
      lastKept = { worlds: taking.length, tookMs: performance.now() - beganAt };
      tell(undefined);
      for (const one of taking)
        if (gone.includes(one.worldId)) one.end();
        else one.settle();
    } catch (error) {
      for (const one of taking) await one.fail(error);
      const found = problemOf(error, { isOfTurn: true });
      tell(found);
      counted.fail(found.reason);
    }
  }

  /** A turn that is under way sees the news by itself. */
  async function lookForNews(): Promise<void> {
    if (isAwake || isInTurn || isLooking || !shared) return;
    isLooking = true;
    try {
      const news = await shared.findNews(worldIds());
      for (const one of participants) if (news.includes(one.worldId)) wake(one);
      // Only the next turn tells whether turns can be persisted again.
      if (!problem?.isOfTurn) tell(undefined);
    } catch (error) {
      if (!problem?.isOfTurn) tell(problemOf(error, { isOfTurn: false }));
    }
    isLooking = false;
  }

  function worldIds(): number[] {
    return [...participants].map(({ worldId }) => worldId);
  }

  function tell(now: Problem | undefined): void {
    const isSame = now?.message === problem?.message;
    problem = now;
    if (!isSame) log(now?.message ?? `store ${engine.place}: it can be used again, and nothing was lost`);
  }

  return {
    wake,
    join: (participant) => void participants.add(participant),
    leave(participant) {
      participants.delete(participant);
      awake.delete(participant);
    },
    worldIds,
    async idle() {
      // A turn that ends may begin another one.
      for (let latest: typeof last | undefined; latest !== last; await latest) latest = last;
    },
    takeTurn(taking) {
      // No two are under way at the same time.
      last = last.then(() => take(taking));
      return last;
    },
    problem: () => problem,
    close: () => clearInterval(newsTimer),
  };
}

export interface Problem {
  message: string;
  reason: StoreError['reason'];
  /** False: it was seen while looking for news. */
  isOfTurn: boolean;
}

function problemOf(error: unknown, { isOfTurn }: Pick<Problem, 'isOfTurn'>): Problem {
  return {
    message: messageOf(error),
    reason: error instanceof StoreError ? error.reason : 'other',
    isOfTurn,
  };
}
