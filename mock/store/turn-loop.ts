// Each turn persists the changes of all worlds that wait in one commit.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Metrics } from '../metrics/metrics.ts';
import type { Engine, Member, Seen, TurnChanges } from './engine.ts';
import { messageOf, StoreError } from './store-error.ts';

export interface Participant extends Pick<Member, 'worldId' | 'wish'> {
  /** Runs waiting calls until about `until`, by performance.now(); `calls` is how many ran. */
  work(seen: Seen, until: number): TurnChanges & { calls: number };
  settle(): void;
  /** Called if the turn was not persisted. Restores the world, and later wakes the loop to retry. */
  fail(error: unknown): Promise<void>;
  /** Called if the world no longer exists. */
  end(): void;
}

export type TurnLoop = ReturnType<typeof createTurnLoop>;

/** Bounds the synchronous work of a turn, so that pushes and control calls are not delayed. */
const longestMs = 50;
/** A turn waits for the worlds of the last turn for at most this share of its duration. */
const gatheringShare = 0.25;
const newsEveryMs = 250;

interface LoopParts {
  engine: Engine;
  log(line: string): void;
  metrics: Metrics;
}

export function createTurnLoop({ engine, log, metrics }: LoopParts) {
  const { shared } = engine;
  const participants = new Set<Participant>();
  const awake = new Set<Participant>();
  let isAwake = false;
  let isInTurn = false;
  let isLooking = false;
  let lastTurn = { worlds: 0, tookMs: 0 };
  let problem: StoreError | undefined;
  /** Only a persisted turn clears the problem then, not a successful read. */
  let hasTurnFailed = false;
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
    });
  }

  /** Waits for callers that were just answered: one turn of many worlds costs less than many turns. */
  async function gather(): Promise<void> {
    await nextTurn();
    const longestWaitMs = Math.min(lastTurn.tookMs, longestMs) * gatheringShare;
    for (let ms = 1; ms <= longestWaitMs && awake.size < lastTurn.worlds; ms++) await wait(1);
  }

  /** Never fails. */
  async function take(taking: readonly Participant[]): Promise<void> {
    if (taking.length === 0) return;
    const turn = countTurn(metrics);
    lastTurn = { worlds: 0, tookMs: 0 };
    try {
      const gone = await engine.turn(taking.map(turn.member));
      lastTurn = { worlds: taking.length, tookMs: turn.end() };
      hasTurnFailed = false;
      tell(undefined);
      for (const one of taking)
        if (gone.includes(one.worldId)) one.end();
        else one.settle();
    } catch (error) {
      for (const one of taking) await one.fail(error);
      hasTurnFailed = true;
      const found = asStoreError(error);
      tell(found);
      metrics.add('sitepub_turn_failures_total', 1, { reason: found.reason });
    }
  }

  /** Does nothing during a turn, which reads changes of others itself. */
  async function lookForNews(): Promise<void> {
    if (isAwake || isInTurn || isLooking || !shared) return;
    isLooking = true;
    try {
      const news = await shared.findNews(worldIds());
      for (const one of participants) if (news.includes(one.worldId)) wake(one);
      if (!hasTurnFailed) tell(undefined);
    } catch (error) {
      if (!hasTurnFailed) tell(asStoreError(error));
    }
    isLooking = false;
  }

  function worldIds(): number[] {
    return [...participants].map(({ worldId }) => worldId);
  }

  function tell(now: StoreError | undefined): void {
    const isSame = now?.message === problem?.message;
    problem = now;
    if (!isSame) log(now?.message ?? `store ${engine.place}: it is available again, and no data was lost`);
  }

  return {
    wake,
    join: (participant: Participant) => void participants.add(participant),
    leave(participant: Participant) {
      participants.delete(participant);
      awake.delete(participant);
    },
    worldIds,
    async idle() {
      // A turn that ends may begin another one.
      for (let latest: typeof last | undefined; latest !== last; await latest) latest = last;
    },
    takeTurn(participant: Participant) {
      last = last.then(() => take([participant]));
      return last;
    },
    problem: () => problem,
    close: () => clearInterval(newsTimer),
  };
}

function asStoreError(error: unknown): StoreError {
  return error instanceof StoreError ? error : new StoreError(messageOf(error));
}

function countTurn(metrics: Metrics) {
  const startedAt = performance.now();
  let workedMs = 0;
  /** When all worlds were locked. */
  let enteredAt: number | undefined;
  let calls = 0;
  let changed = 0;
  let caughtUp = 0;

  return {
    member: (participant: Participant): Member => ({
      worldId: participant.worldId,
      wish: participant.wish,
      work(seen) {
        const from = performance.now();
        enteredAt ??= from;
        const changes = participant.work(seen, enteredAt + longestMs);
        workedMs += performance.now() - from;
        calls += changes.calls;
        changed += changes.batch?.rows.length ?? 0;
        caughtUp += seen.others?.rows.length ?? seen.whole?.rows.length ?? 0;
        return changes;
      },
    }),
    end(): number {
      const tookMs = performance.now() - startedAt;
      const waitedMs = enteredAt === undefined ? tookMs : enteredAt - startedAt;
      const phases = { wait: waitedMs, run: workedMs, commit: tookMs - waitedMs - workedMs };
      for (const [phase, ms] of Object.entries(phases))
        metrics.observe('sitepub_turn_seconds', Math.max(0, ms) / 1000, { phase });
      metrics.observe('sitepub_turn_calls', calls);
      metrics.add('sitepub_rows_changed_total', changed);
      metrics.add('sitepub_rows_caught_up_total', caughtUp);
      return tookMs;
    },
  };
}
