import type { Metrics } from '../metrics/metrics.ts';
import type { Member } from './engine.ts';

/** Measures a turn: how long it waited for its worlds, worked, and was committed, and what it did. */
export function countTurn(metrics: Metrics) {
  const startedAt = performance.now();
  let workedMs = 0;
  let enteredAt: number | undefined;
  let calls = 0;
  let changed = 0;
  let caughtUp = 0;

  return {
    /** The same member, counted. */
    member: (member: Member & { done(): number }): Member => ({
      ...member,
      work(seen) {
        const from = performance.now();
        enteredAt ??= from;
        const keeping = member.work(seen);
        workedMs += performance.now() - from;
        calls += member.done();
        changed += keeping.batch?.rows.length ?? 0;
        caughtUp += seen.others?.rows.length ?? seen.whole?.rows.length ?? 0;
        return keeping;
      },
    }),
    /** The turn was not persisted. */
    fail(reason: string): void {
      metrics.add('sitepub_turn_failures_total', 1, { reason });
    },
    /** The turn was persisted. */
    end(): void {
      const endedAt = performance.now();
      const waitedMs = (enteredAt ?? endedAt) - startedAt;
      const phases = { wait: waitedMs, run: workedMs, commit: endedAt - startedAt - waitedMs - workedMs };
      for (const [phase, ms] of Object.entries(phases))
        metrics.observe('sitepub_turn_seconds', Math.max(0, ms) / 1000, { phase });
      metrics.observe('sitepub_turn_calls', calls);
      metrics.add('sitepub_rows_changed_total', changed);
      metrics.add('sitepub_rows_caught_up_total', caughtUp);
    },
  };
}
