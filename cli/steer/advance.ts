import { readIsoDuration } from '../options/read-values.ts';
import { lineOf, pushLine } from '../output/note-lines.ts';
import { paintOutput } from './show-pushes.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock advance 36m`: moves the clock. */
export const advance = steerCommand(move);

async function move({ mock, words: [word = ''], print }: Steering): Promise<number> {
  const moved = await mock.POST('/clock', { body: { advance: readIsoDuration(word) } });
  const paint = paintOutput();
  const { attempts, ...clock } = moved;
  const lines = attempts.map((attempt) => pushLine(attempt, paint));
  print(moved, [...lines, lineOf({ type: 'clock', ...clock }, paint)]);
  return 0;
}
