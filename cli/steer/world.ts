import { parseExactly, writeJson } from '../../contract-tests/core/parse-json.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { UsageError } from '../options/usage-error.ts';
import { requireWritable, writeWhole } from '../output/output-file.ts';
import { describeWorld } from './describe-world.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock save FILE`: writes a snapshot of the whole world. */
export const save = steerCommand((steering) => write(steering, steering.words[0] ?? ''));

/** `sitepub mock load FILE`: puts a snapshot in place of the world, its clock included. */
export const load = steerCommand((steering) => read(steering, steering.words[0] ?? ''));

async function write({ mock, print }: Steering, file: string): Promise<number> {
  requireWritable('mock save', file);
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

async function read({ mock, print }: Steering, file: string): Promise<number> {
  const body = readSnapshot(file);
  const summary = await mock.PUT('/world', { body });
  print(summary, [`loaded from ${file}: ${describeWorld(summary)}`]);
  return 0;
}

/** In bytes; what the mock takes. */
const largestSnapshot = 67_108_864;

function readSnapshot(file: string): Schemas['World'] {
  const usual = 'give a file that `sitepub mock save` has written';
  const text = readNamedText(file, largestSnapshot, (reason, advice = usual) => {
    return new UsageError(`mock load: ${file} can't be read (${reason}); ${advice}`);
  });
  const snapshot = parseExactly(text);
  if (snapshot === undefined) throw new UsageError(`mock load: ${file} is no JSON; ${usual}`);
  // The mock says what is wrong with it.
  return snapshot as Schemas['World'];
}
