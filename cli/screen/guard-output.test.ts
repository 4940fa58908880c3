import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runProgram } from '../../scripts/testing/run-program.ts';

const guard = new URL('guard-output.ts', import.meta.url).href;

test('escapes texts, and passes bytes unchanged', async () => {
  const program = `
    console.log('a\\u001b[31m\\u202e\\n ::add-mask::x ##vso[y]');
    console.error('::b\\r\\u009b');
    process.stdout.write(Buffer.from('::error::c\\n'));`;
  expect(await run(program)).toEqual({
    status: 0,
    stdout: 'a\\u001b[31m\\u202e\n \\u003a:add-mask::x #\\u0023vso[y]\n::error::c\n',
    stderr: '\\u003a:b\\u000d\\u009b\n',
  });
});

test('passes only colours and a redrawn line to a terminal', async () => {
  const program = `
    process.stdout.write('\\u001b[31ma\\u001b[39m\\r\\u001b[Kb\\u001b[2Jc\\rd');`;
  expect((await run(program, { before: 'process.stdout.isTTY = true;' })).stdout).toBe(
    '\u001b[31ma\u001b[39m\r\u001b[Kb\\u001b[2Jc\\u000dd',
  );
});

test.skipIf(!existsSync('/dev/full'))(
  'exits with 4 and a message if standard output is full (needs /dev/full)',
  async () => {
    expect(await run("console.log('a'); process.exitCode = 1", { outlet: '> /dev/full' })).toMatchObject({
      status: 4,
      stderr:
        "sitepub: standard output can't be written (ENOSPC, no space left on device); some output is lost\n",
    });
  },
);

test('a closed pipe is not a failure', async () => {
  const program = "setInterval(() => console.log('a'.repeat(70_000)), 1).unref(); setTimeout(() => {}, 300);";
  expect(await run(program, { outlet: '| head -c 1' })).toEqual({ status: 0, stdout: 'a', stderr: '' });
});

/** `outlet`: where the shell leads standard output. */
function run(program: string, { before = '', outlet = '' } = {}) {
  const source = `${before} (await import('${guard}')).guardOutput(); ${program}`;
  const line = `set -o pipefail; "$0" --input-type=module --eval "$1" ${outlet}`;
  return runProgram('bash', ['-c', line, process.execPath, source]);
}
