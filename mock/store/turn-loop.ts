// Takes turns: each keeps what all worlds that have something to keep have done meanwhile, in one commit.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Metrics } from '../metrics/metrics.ts';
import { countTurn } from './count-turn.ts';
import { type Engine, type Member, messageOf, StoreError } from './engine.ts';

/** A world that this process has in memory. */
export interface Participant {
  worldId: number;
  /** What it does in the next turn, until about this time by performance.now(), which is asked for when that begins. */
  member(until: () => number): Member & { done(): number };
  /** The turn is kept. */
  settle(): void;
  /** The turn is not kept. Returns when the world is as it was before, and it knows itself when it tries again. */
  fail(error: unknown): Promise<void>;
  /** It is no more, since somebody else has ended it. */
  end(): void;
}

export interface TurnLoop {
  /** Takes a turn soon. */
  wake(participant: Participant): void;
  /** The world takes part from now on, so that it hears what others do. */
  join(participant: Participant): void;
  leave(participant: Participant): void;
  /** Of those that take part. */
  worldIds(): number[];
  /** Waits until no turn is under way. */
  idle(): Promise<void>;
  /** Takes a turn after the one that is under way. Never fails. */
  takeTurn(participants: readonly Participant[]): Promise<void>;
  /** Why the last changes could not be persisted. */
  problem(): Problem | undefined;
  close(): void;
}

/** A turn takes no longer than about this, so that pushes and control calls have theirs. */
const longestMs = 50;
/** So long a turn waits for worlds that were in the one before, as a share of what that took. */
const gatheringShare = 0.25;
/** So often a shared store is asked for what others have done. */
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

  /** Callers soon call again once they are answered, and one turn of many worlds costs less than many turns. */
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
      // From when its worlds are locked: to wait for that is no work.
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

  /** Never while a turn is under way: that sees what is new by itself. */
  async function lookForNews(): Promise<void> {
    if (isAwake || isInTurn || isLooking || !shared) return;
    isLooking = true;
    try {
      const news = await shared.findNews(worldIds());
      for (const one of participants) if (news.includes(one.worldId)) wake(one);
      // Whether what a turn did can be kept again is known by the next turn.
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
  /** Else it was seen when somebody looked for news. */
  isOfTurn: boolean;
}

function problemOf(error: unknown, { isOfTurn }: Pick<Problem, 'isOfTurn'>): Problem {
  return {
    message: messageOf(error),
    reason: error instanceof StoreError ? error.reason : 'other',
    isOfTurn,
  };
}
