// Runs trials side by side, and adds them up.
import type { Group, Trial, Tried } from './groups.ts';

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
  /** Which trials, by id; all unless given. */
  isWanted?: (trial: Trial, group: Group) => boolean;
  /** Hears of each trial as soon as it has ended. */
  heard?: (tried: Tried, group: Group) => void;
}

/** Runs the campaign. */
export async function runCampaign(groups: readonly Group[], settings: Settings): Promise<Row[]> {
  const { seeds, isWanted = () => true } = settings;
  const waiting = groups.flatMap((group) =>
    group
      .trials(seeds)
      .filter((trial) => isWanted(trial, group))
      .map((trial) => ({ group, trial })),
  );
  const tried = new Map<string, Tried[]>(groups.map(({ id }) => [id, []]));
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await next.trial.run();
      tried.get(next.group.id)?.push(result);
      settings.heard?.(result, next.group);
    }
  };
  await Promise.all(Array.from({ length: settings.jobs }, work));
  return groups.map((group) => rowOf(group, tried.get(group.id) ?? []));
}

function rowOf({ id, what, promise }: Group, tried: readonly Tried[]): Row {
  const most = (figure: (one: Tried) => number | undefined) =>
    Math.max(0, ...tried.map((one) => Math.ceil(figure(one) ?? 0)));
  return {
    ...{ id, what, promise, tried: tried.length },
    held: tried.filter(({ broken }) => broken.length === 0).length,
    seconds: most(({ seconds }) => seconds),
    megabytes: most(({ megabytes }) => megabytes),
    secondsAfterSignal: most(({ secondsAfterSignal }) => secondsAfterSignal),
  };
}
