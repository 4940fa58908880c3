// @module-tag ci
import { mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { watchForChanges } from './reloading-mock.ts';

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'acme.yaml');
  writeFileSync(file, 'one');
  let changes = 0;
  const stop = watchForChanges(file, () => {
    changes++;
  });
  onTestFinished(stop);
  return { folder, file, stop, changes: () => changes };
}

test.concurrent.for([
  ['is written', ({ file }) => writeFileSync(file, 'two')],
  [
    'is replaced by another, as editors do',
    ({ file, folder }) => {
      writeFileSync(join(folder, 'draft'), 'two');
      renameSync(join(folder, 'draft'), file);
    },
  ],
  ['goes', ({ file }) => unlinkSync(file)],
  [
    'is a link now',
    ({ file, folder }) => {
      writeFileSync(join(folder, 'other.yaml'), 'two');
      unlinkSync(file);
      symlinkSync(join(folder, 'other.yaml'), file);
    },
  ],
] as [string, (place: ReturnType<typeof open>) => void][])(
  'a file that %s has changed, once',
  async ([, change], { expect }) => {
    const place = open();
    await sleep(30);
    change(place);
    await expect.poll(place.changes, { timeout: 5000 }).toBe(1);
    await sleep(500);
    expect(place.changes()).toBe(1);
  },
);

test('a file that is touched has not, nor has one that is not watched any more', async () => {
  const { file, stop, changes } = open();
  await sleep(30);
  utimesSync(file, new Date(), new Date(Date.now() + 5000));
  await sleep(700);
  stop();
  writeFileSync(file, 'two');
  await sleep(700);
  expect(changes()).toBe(0);
});
