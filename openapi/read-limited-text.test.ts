import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { readNamedText } from './read-limited-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-text-'));
const pipe = join(folder, 'pipe');
execFileSync('mkfifo', [pipe]);

const reading = `import { readNamedText } from '${new URL('./read-limited-text.ts', import.meta.url)}'; process.stdout.write(readNamedText(process.argv[1], 1000000, Error));`;

const read = '"$1" --input-type=module -e "$2"';

test.for([
  ['<(…) that takes its time', `${read} <(printf s3; sleep 0.3; printf cr3t)`, 's3cr3t'],
  ['<(…) of more than a pipe holds', `${read} <(head -c 300000 /dev/zero | tr '\\0' x) | wc -c`, '300000'],
  ['what is piped to it', `printf piped | cat | ${read} /dev/stdin`, 'piped'],
] as const)('reads %s', ([, script, want]) => {
  const args = ['-c', script, 'bash', process.execPath, reading];
  expect(execFileSync('bash', args, { encoding: 'utf8', timeout: 60_000, stdio: 'pipe' }).trim()).toBe(want);
});

test('refuses a pipe without a writer, and reads one whose writer is late', async () => {
  expect(refusalOf(pipe)).toBe('it is a pipe without a writer; usual');
  const writer = spawn('bash', ['-c', `sleep 0.2; printf late > ${pipe}`]);
  expect(readNamedText(pipe, 100, Error as never)).toBe('late');
  writer.kill();
});

const file = join(folder, 'latin1');
writeFileSync(file, Buffer.from([0xe9]));

test.for([
  [join(folder, 'none'), `there is no file ${folder}/none; usual`],
  [relative('.', join(folder, 'none')), `there is no file ${folder}/none; usual`],
  [join(file, 'x'), `a part of ${file}/x is a file, and not a folder; usual`],
  [folder, 'it is a folder; usual'],
  ['/dev/zero', 'it is longer than 100 bytes; leave out what is not needed'],
  [file, 'it is not UTF-8; save it as UTF-8'],
] as const)('says why it cannot read %s, and what to do', ([path, want]) => {
  expect(refusalOf(path)).toBe(want);
});

function refusalOf(path: string): string {
  try {
    return readNamedText(path, 100, (reason, advice = 'usual') => new Error(`${reason}; ${advice}`));
  } catch (error) {
    return (error as Error).message;
  }
}
