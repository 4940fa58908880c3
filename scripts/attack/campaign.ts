// Runs trials side by side, and adds them up.
import type { Group, Trial, Tried } from './group.ts';

/** What became of a group; the figures are of the trial that had most. */
export interface Row {
  id: string;
  what: string;
  promise: string;
  tried: number;
  held: number;
  seconds: number;
  megabytes: number;
  secondsAfterSignal: number;
}

interface Settings {
  seeds: readonly number[];
  /** How many trials at the same time: most only wait. */
  jobs: number;
  /** Which trials; all unless given. */
  isWanted?: (trial: Trial, group: Group) => boolean;
  /** Hears of each trial as soon as it has ended. */
  heard?: (tried: Tried, group: Group) => void;
}

interface Work {
  group: Group;
  trial: Trial;
}

type Made = Work & { tried: Tried };

/** Runs the campaign. */
export async function runCampaign(groups: readonly Group[], settings: Settings): Promise<Row[]> {
  const { seeds, jobs, isWanted = () => true, heard } = settings;
  const works = groups.flatMap((group) => {
    const trials = group.trials(seeds).filter((trial) => isWanted(trial, group));
    return trials.map((trial) => ({ group, trial }));
  });
  const made: Made[] = [];
  const make = async (work: Work) => {
    const tried = await run(work.trial);
    made.push({ ...work, tried });
    heard?.(tried, work.group);
  };
  const [timed, others] = [works.filter(isTimed), works.filter((work) => !isTimed(work))];
  await makeEach(spread(others.reverse()), { jobs, make });
  await makeEach(spread(timed.reverse()), { jobs: Math.ceil(jobs / 2), make });
  return groups.map((group) =>
    rowOf(
      group,
      made.filter((one) => one.group === group),
    ),
  );
}

function isTimed({ group }: Work): boolean {
  return group.isTimed === true;
}

/** Trials of a kind stand together, and those that take the most are of a kind. The last groups have those that wait longest: they begin. */
function spread<T>(works: readonly T[]): T[] {
  const distance = 10;
  return Array.from({ length: distance }, (_, first) => first).flatMap((first) =>
    works.filter((_work, index) => index % distance === first),
  );
}

async function makeEach(
  works: readonly Work[],
  { jobs, make }: { jobs: number; make: (work: Work) => Promise<void> },
): Promise<void> {
  const waiting = [...works];
  const makeNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await make(next);
  };
  await Promise.all(Array.from({ length: jobs }, makeNext));
}

/** One that throws has not held, and does not end the others. */
async function run(trial: Trial): Promise<Tried> {
  try {
    return await trial.run();
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { id: trial.id, broken: [`could not be tried: ${what}`] };
  }
}

function rowOf({ id, what, promise }: Group, made: readonly Made[]): Row {
  const most = (figure: (one: Tried) => number | undefined) =>
    Math.max(0, ...made.map(({ tried }) => Math.ceil(figure(tried) ?? 0)));
  return {
    ...{ id, what, promise, tried: countOf(made.map(({ trial }) => trial)) },
    held: countOf(made.filter(({ tried }) => tried.broken.length === 0).map(({ trial }) => trial)),
    seconds: most(({ seconds }) => seconds),
    megabytes: most(({ megabytes }) => megabytes),
    secondsAfterSignal: most(({ secondsAfterSignal }) => secondsAfterSignal),
  };
}

/** How many inputs some trials try. */
export function countOf(trials: readonly Trial[]): number {
  return trials.reduce((sum, { count = 1 }) => sum + count, 0);
}
