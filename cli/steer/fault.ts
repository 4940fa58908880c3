import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock fault [ID…|none]`: which promises the mock breaks. */
export const fault = steerCommand(choose);

async function choose({ mock, words, print }: Steering): Promise<number> {
  const on = words.filter((word) => word !== 'none');
  const { faults, on: chosen } =
    words.length === 0 ? await mock.GET('/faults') : await mock.PUT('/faults', { body: { on } });
  const rows = faults.filter(({ id }) => chosen.includes(id));
  const lines = rows.map(({ id, requirement, title }) => `${id}  ${requirement}  ${title}`);
  print({ on: chosen }, lines.length === 0 ? ['no fault is on'] : lines);
  return 0;
}
