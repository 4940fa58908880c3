import { readIsoDuration } from '../options/read-duration.ts';
import { lineOf, pushLine } from '../output/note-lines.ts';
import { paintOutput } from './show-pushes.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub advance PT36M`: moves the clock of the mock. */
export const advance = steerCommand({
  usage: 'sitepub advance DURATION',
  notes: `Moves the clock of the mock forward, does all that is due by then, such as retries, and shows the attempts that it caused.
The duration is one of ISO 8601, such as PT36M, PT1H30M or P1D, or as elsewhere 90s, 36m or 1h.

  sitepub advance PT36M   # all retries of a push that fails`,
  words: { least: 1, most: 1 },
  run: move,
});

async function move({ mock, words: [word = ''], print }: Steering): Promise<number> {
  const moved = await mock.POST('/clock', { body: { advance: readIsoDuration(word) } });
  const paint = paintOutput();
  const { attempts, ...clock } = moved;
  const lines = attempts.map((attempt) => pushLine(attempt, paint));
  print(moved, [...lines, lineOf({ type: 'clock', ...clock }, paint)]);
  return 0;
}
