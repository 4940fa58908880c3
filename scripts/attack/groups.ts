// What the campaign consists of: one list of groups, each a row of the table in docs/security.md.

import { attackInThread, type Which } from './attack-in-thread.ts';
import { commands, type Outcome } from './broken-by.ts';
import { deployments } from './deployments/index.ts';
import { files } from './files.ts';
import type { Group, Trial, Tried } from './group.ts';
import { pushes } from './pushes/index.ts';
import { redaction } from './redaction.ts';
import { inThreads } from './threads/in-threads.ts';
import { pages } from './web-pages.ts';

const inBounds = 'ends by itself within 120 s and 400 MB, with exit 0 to 3; `test` with its report';

/** With those that are made up 35, as many as a campaign of five minutes has the time for; each time others, by its seed. */
const drawnDeployments = 30;

export const groups: readonly Group[] = [
  {
    id: 'deployments',
    what: `hostile deployments, ${drawnDeployments} drawn of ${deployments.length}, each against \`test\`, \`discover\` and \`cleanup\``,
    promise: inBounds,
    trials: () => deployments.flatMap((deployment) => trialsOf({ id: deployment.id }, false)),
    isDrawn,
  },
  {
    id: 'interrupted',
    what: 'the same, each with a SIGTERM among the calls of one command that is drawn',
    promise: 'ends within 5 s with exit 130; `test` with its report',
    isTimed: true,
    trials: ([seed = 0]) =>
      deployments.flatMap(({ id }, index) =>
        trialsOf({ id }, true).filter((_trial, command) => command === (seed + index) % commands.length),
      ),
    isDrawn,
  },
  {
    id: 'generated',
    what: 'deployments made up of random seeds, each against `test`, `discover` and `cleanup`',
    promise: inBounds,
    trials: (seeds) => seeds.flatMap((seed) => trialsOf({ seed }, false)),
  },
  inThreads(pages),
  files,
  inThreads(pushes),
  inThreads(redaction),
];

function isDrawn({ id }: Trial, [seed = 0]: readonly number[]): boolean {
  const index = deployments.findIndex((deployment) => id.startsWith(`${deployment.id} × `));
  // Neighbours are alike.
  return (index * 29 + seed) % deployments.length < drawnDeployments;
}

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
