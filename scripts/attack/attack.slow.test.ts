// A few attacks of the campaign, such as take seconds; `npm run attack` has them all.
import { expect, test } from 'vitest';
import { attackInThread } from './attack-in-thread.ts';

test.concurrent.for([
  ['upgrade', 'test', false],
  ['dot-ids', 'cleanup', false],
  ['dripped-body', 'test', true],
  ['dripped-headers', 'discover', true],
] as const)('%s × %s (interrupted: %s)', async ([id, command, isInterrupted]) => {
  const outcome = await attackInThread({ id }, { command, isInterrupted });
  // How long it takes is measured by the campaign, where nothing else runs.
  expect(outcome.broken.filter((what) => !/^took [\d.]+ s/.test(what))).toEqual([]);
  expect(outcome.status).toBe(isInterrupted ? 130 : id === 'dot-ids' ? 1 : 3);
});
