import { parseExactly, writeJson } from '../../contract-tests/core/parse-json.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { UsageError } from '../options/usage-error.ts';
import { requireWritable, writeWhole } from '../output/output-file.ts';
import { describeWorld } from './describe-world.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub world save|load FILE`: keeps the world of the mock, and comes back to it. */
export const world = steerCommand({
  usage: 'sitepub world save|load FILE',
  notes: `Writes a snapshot of the whole world of the mock into a file, or puts one in place of it, its clock included.
The file has passwords, tokens and keys as digests, but signing secrets as they are: only you can read it.

  sitepub world save before.json
  sitepub world load before.json
  sitepub mock --world before.json`,
  words: { least: 2, most: 2, first: ['save', 'load'] },
  run: (steering) => (steering.words[0] === 'save' ? save : load)(steering, steering.words[1] ?? ''),
});

async function save({ mock, print }: Steering, file: string): Promise<number> {
  requireWritable('world save', file);
  const snapshot = await mock.GET('/world');
  writeOwn(file, `${writeJson(snapshot)}\n`);
  print({ saved: file }, [`saved in ${file}`]);
  return 0;
}

/** A new file is for this user's eyes only. */
function writeOwn(file: string, text: string): void {
  const mask = process.umask(0o077);
  try {
    writeWhole(file, text);
  } finally {
    process.umask(mask);
  }
}

async function load({ mock, print }: Steering, file: string): Promise<number> {
  const body = readSnapshot(file);
  const summary = await mock.PUT('/world', { body });
  print(summary, [`loaded from ${file}: ${describeWorld(summary)}`]);
  return 0;
}

/** In bytes; what the mock takes. */
const largestSnapshot = 67_108_864;

function readSnapshot(file: string): Schemas['World'] {
  const usual = 'give a file that `sitepub world save` has written';
  const text = readNamedText(file, largestSnapshot, (reason, advice = usual) => {
    return new UsageError(`world load: ${file} can't be read (${reason}); ${advice}`);
  });
  const snapshot = parseExactly(text);
  if (snapshot === undefined) throw new UsageError(`world load: ${file} is no JSON; ${usual}`);
  // The mock says what is wrong with it.
  return snapshot as Schemas['World'];
}
