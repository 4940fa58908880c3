// Whole runs of `sitepub test` against a mock: what a second one meets, and what a dry run has said before.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { StartedMock } from '../../mock/start.ts';
import { credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';

const { folder, run, remove } = openCommand();

afterAll(remove);

test.concurrent('the safe tier is run twice at once without tripping the login limit', async () => {
  await using mock = await openMock();
  const shared = { ...credentialsOf(mock), TMPDIR: mkdtempSync(join(folder, 'shared-')) };
  const first = await run(argsFor(mock), shared);
  const second = await run(argsFor(mock), shared);
  expect([first.status, second.status]).toEqual([0, 0]);
  const passed = [first, second].map(({ stdout }) => /(\d+) passed/.exec(stdout)?.[1]);
  expect(passed[0]).toBe(passed[1]);
  const refused = requestsOf(mock).filter(({ status }) => status === 429);
  expect(refused).toEqual([]);
});

test.concurrent('a dry run counts no fewer requests than are sent', async () => {
  await using mock = await openMock();
  const args = [...argsFor(mock), '--control-url', mock.controlUrl, '--suite', 'full'];
  const planned = await run([...args, '--dry-run'], credentialsOf(mock));
  const made = await run(args, credentialsOf(mock));
  const [most, sent] = [
    /at most (\d+) requests/.exec(planned.stdout),
    /\((\d+) requests in/.exec(made.stdout),
  ];
  // Cleaning up is not planned one by one.
  const deleted = requestsOf(mock).filter(({ method }) => method === 'DELETE').length;
  expect(Number(most?.[1])).toBeGreaterThanOrEqual(Number(sent?.[1]) - deleted);
});

function argsFor({ baseUrl }: StartedMock): string[] {
  return ['test', '--base-url', baseUrl, '--profile', 'default'];
}
