import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

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
  expect((await run(program, 'process.stdout.isTTY = true;')).stdout).toBe(
    '\u001b[31ma\u001b[39m\r\u001b[Kb\\u001b[2Jc\\u000dd',
  );
});

test.skipIf(!existsSync('/dev/full'))(
  'exits with 4 and a message if standard output is full (needs /dev/full)',
  async () => {
    const full = openSync('/dev/full', 'w');
    expect(await run("console.log('a'); process.exitCode = 1", '', full)).toMatchObject({
      status: 4,
      stderr:
        "sitepub: standard output can't be written (ENOSPC, no space left on device); some output is lost\n",
    });
    closeSync(full);
  },
);

test('a closed pipe is not a failure', async () => {
  const program = "setInterval(() => console.log('a'.repeat(70_000)), 1).unref(); setTimeout(() => {}, 300);";
  const child = start(program, '', 'pipe');
  child.stdout?.once('data', () => child.stdout?.destroy());
  const [stderr, [status]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

async function run(program: string, before = '', stdout: 'pipe' | number = 'pipe') {
  const child = start(program, before, stdout);
  const [printed, stderr, [status]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'exit'),
  ]);
  return { status, stdout: printed, stderr };
}

function textOf(stream: Readable | null): Promise<string> | string {
  return stream ? text(stream) : '';
}

function start(program: string, before: string, stdout: 'pipe' | number) {
  const source = `${before} (await import('${guard}')).guardOutput(); ${program}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', stdout, 'pipe'],
  });
}
