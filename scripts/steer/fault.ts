import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub fault ID…|none`: which promises the mock breaks. */
export const fault = steerCommand({
  usage: 'sitepub fault [ID…|none]',
  notes: `Turns on the faults that are named, and all others off; none turns off all. Without a name, shows those that are on.
\`sitepub list faults\` lists them.

  sitepub fault third-retry-missing
  sitepub fault none`,
  words: { least: 0, most: 1000 },
  run: choose,
});

async function choose({ mock, words, print }: Steering): Promise<number> {
  const on = words.filter((word) => word !== 'none');
  const { faults, on: chosen } =
    words.length === 0 ? await mock.GET('/faults') : await mock.PUT('/faults', { body: { on } });
  const rows = faults.filter(({ id }) => chosen.includes(id));
  const lines = rows.map(({ id, requirement, title }) => `${id}  ${requirement}  ${title}`);
  print({ on: chosen }, lines.length === 0 ? ['no fault is on'] : lines);
  return 0;
}
