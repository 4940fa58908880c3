// How the cost of one thing grows with what there is besides it.
import type { Curve, Figure } from './row.ts';
import { median } from './statistics.ts';
import type { Timing } from './timed.ts';

/** One round: the cost of each subject at each size, in microseconds of CPU time. */
export type Round = readonly { name: string; size: number; micros: number }[];

/** The sizes that the budget compares. */
export interface Compared {
  small: number;
  large: number;
}

export function microsOf({ cpuMs }: Timing, amount: number): number {
  return (cpuMs * 1000) / amount;
}

/** The curve of each subject: medians over the rounds. */
export function curvesOf(rounds: readonly Round[]): Curve[] {
  const bySubject = Map.groupBy(rounds.flat(), ({ name }) => name);
  return [...bySubject].map(([name, costs]) => ({
    name,
    points: [...Map.groupBy(costs, ({ size }) => size)].map(([size, measured]) => ({
      size,
      micros: median(measured.map(({ micros }) => micros)),
    })),
  }));
}

/** How many times as much each subject costs at the large size; the median of the rounds' ratios, the worst first. */
function ratiosOf(rounds: readonly Round[], { small, large }: Compared) {
  const names = new Set(rounds.flat().map(({ name }) => name));
  return [...names]
    .map((name) => {
      const costAt = (round: Round, size: number) =>
        round.find((cost) => cost.name === name && cost.size === size)?.micros ?? Number.NaN;
      return { name, ratio: median(rounds.map((round) => costAt(round, large) / costAt(round, small))) };
    })
    .sort((one, other) => other.ratio - one.ratio);
}

/** The worst subject beside its budget. */
export function worstFigure(
  rounds: readonly Round[],
  compared: Compared,
  { noun, budget }: { noun: string; budget: number },
): Figure {
  const [worst = { name: 'nothing', ratio: Number.NaN }] = ratiosOf(rounds, compared);
  const points = curvesOf(rounds).find(({ name }) => name === worst.name)?.points ?? [];
  const at = (wanted: number) =>
    `${Math.round(points.find(({ size }) => size === wanted)?.micros ?? Number.NaN)} µs CPU`;
  return {
    measured: `${worst.name}: ${at(compared.large)} at ${compared.large.toLocaleString('en')} ${noun}`,
    against: `${at(compared.small)} at ${compared.small.toLocaleString('en')}`,
    value: worst.ratio,
    unit: 'times',
    budget: { kind: 'at most', value: budget },
  };
}
