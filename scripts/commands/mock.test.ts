// `sitepub mock` and the commands that find it, run as people run them.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { openCommand } from '../testing.ts';

const { folder, start, run, remove } = openCommand();
afterAll(remove);

test('the mock tells what is unusual and what happens, is found by other commands, and ends when it is told to', async () => {
  const here = { TMPDIR: folder };
  const child = start(['mock', '--port', '0', '--clock', 'manual', '--fault', 'third-retry-missing'], here);
  const [stdout, stderr, ended] = [text(child.stdout), text(child.stderr), once(child, 'exit')];
  // Its first line on standard output means that it is ready.
  await once(createInterface(child.stdout), 'line');
  const advanced = await run(['advance', 'PT1M'], here);
  expect(advanced).toEqual({
    status: 0,
    stderr: '',
    stdout: '00:01:00.000  clock at 2026-01-01T00:01:00.000Z  stands still\n',
  });
  const { status, stdout: said } = await run(['stop'], here);
  expect([status, said]).toEqual([0, expect.stringMatching(/^the mock at http:\S+\/_mock has ended\n$/)]);
  expect(await ended).toEqual([0, null]);
  expect(await stdout).toContain(
    'Otherwise than usual:\n\n  clock         stands still until it is moved\n  faults        third-retry-missing\n\n',
  );
  expect(await stderr).toBe(advanced.stdout);
});

test('the mock shows the address under which others reach it, and commands here find it where it listens', async () => {
  const here = { TMPDIR: folder, SITEPUB_PUBLIC_URL: 'https://mock.example' };
  const child = start(['mock', '--port', '0', '--clock', 'manual', '--json'], here);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { base_url: base, control_url: control, listens_at: origin } = JSON.parse(line);
  expect([base, control]).toEqual(['https://mock.example/api/v1', 'https://mock.example/_mock']);
  expect((await fetch(`${origin}/_mock/live`)).status).toBe(200);
  expect((await run(['stop'], here)).stdout).toBe(`the mock at ${origin}/_mock has ended\n`);
});

test('the mock ends with a status of its own where its database is not there, and names the address without the password', async () => {
  const here = { SITEPUB_STORE: 'postgres://shop:s3cr3t@127.0.0.1:1/shop' };
  const { status, stderr } = await run(['mock', '--port', '0', '--store-wait', '0'], here);
  expect([status, stderr]).toEqual([
    3,
    "sitepub: store postgres://shop@127.0.0.1:1/shop can't be opened: nothing listens there\n",
  ]);
});
