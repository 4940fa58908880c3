// What the campaign consists of: one list of groups, each a row of the table in docs/security.md.

import { attackInThread, type Which } from './attack-in-thread.ts';
import { deployments } from './deployments/index.ts';
import { commands, type Outcome } from './run-command.ts';

/** One thing to try. */
export interface Trial {
  /** Of what it tries, such as a deployment's. */
  id: string;
  run(): Promise<Tried>;
}

/** What became of a trial. */
export interface Tried {
  id: string;
  /** What was promised and did not hold; empty where all did. */
  broken: readonly string[];
  seconds?: number | undefined;
  megabytes?: number | undefined;
  secondsAfterSignal?: number | undefined;
}

export interface Group {
  id: string;
  /** What is tried, as the table says it. */
  what: string;
  /** What is promised of it. */
  promise: string;
  /** The trials; `seeds` are those of what is made up. */
  trials(seeds: readonly number[]): readonly Trial[];
}

const inBounds = 'ends by itself within 120 s and 400 MB, with exit 0 to 3; `test` with its report';

export const groups: readonly Group[] = [
  {
    id: 'deployments',
    what: 'hostile deployments, each against `test`, `discover` and `cleanup`',
    promise: inBounds,
    trials: () => deployments.flatMap((deployment) => trialsOf({ id: deployment.id }, false)),
  },
  {
    id: 'interrupted',
    what: 'the same, each with a SIGTERM among the calls of one command that is drawn',
    promise: 'ends within 5 s with exit 130; `test` with its report',
    trials: ([seed = 0]) =>
      deployments.flatMap(({ id }, index) =>
        trialsOf({ id }, true).filter((_trial, command) => command === (seed + index) % commands.length),
      ),
  },
  {
    id: 'generated',
    what: 'deployments made up of random seeds, each against `test`, `discover` and `cleanup`',
    promise: inBounds,
    trials: (seeds) => seeds.flatMap((seed) => trialsOf({ seed }, false)),
  },
];

function trialsOf(which: Which, isInterrupted: boolean): Trial[] {
  const name = 'id' in which ? which.id : `seed-${which.seed}`;
  return commands.map((command) => ({
    id: `${name} × ${command}`,
    run: async () => toTried(await attackInThread(which, { command, isInterrupted })),
  }));
}

function toTried({ deployment, command, ...outcome }: Outcome): Tried {
  return { id: `${deployment} × ${command}`, ...outcome };
}
