import { durationMs } from '../../contract-tests/core/duration.ts';
import type { MovedClockView } from '../../mock/control/control-views.ts';
import { UsageError } from '../options/usage-error.ts';
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
  const moved = await mock.call<MovedClockView>('POST', '/clock', { body: { advance: readAdvance(word) } });
  const paint = paintOutput();
  const { attempts, ...clock } = moved;
  const lines = attempts.map((attempt) => pushLine(attempt, paint));
  print(moved, [...lines, lineOf({ type: 'clock', ...clock }, paint)]);
  return 0;
}

/** The mock itself says what is wrong with a duration of ISO 8601. */
function readAdvance(text: string): string {
  if (/^p/i.test(text)) return text.toUpperCase();
  const ms = durationMs(text);
  if (!Number.isNaN(ms)) return `PT${(ms / 1000).toFixed(3)}S`;
  throw new UsageError(`"${text}" is no duration; expected one such as PT36M, or 36m`);
}
