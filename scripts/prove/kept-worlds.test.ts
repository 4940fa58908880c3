// @module-tag nightly
// Mocks that keep their worlds in files are caught as those in memory were: some of the faults, with all checks.
import { afterAll, expect, test, vi } from 'vitest';
import type { Kill } from './kill-matrix.ts';
import { readMatrix } from './matrix.ts';
import { runFaults } from './run-faults.ts';

const matrix = readMatrix();
/** With one that remembers what was there at the start. */
const sample = matrix.filter(
  ({ fault }, index) => index % 40 === 0 || fault === 'new-sites-told-as-first-site',
);

// Files that run after it in the same process keep nothing.
afterAll(() => vi.unstubAllEnvs());

test('what fails with a fault fails where the world is kept, too', { timeout: 300_000 }, async () => {
  vi.stubEnv('SITEPUB_TEST_STORE', 'file');
  const kills = await runFaults(
    sample.map(({ fault }) => fault),
    { seed: 1, jobs: 3 },
  );
  const outcomes = (all: readonly Kill[]) =>
    all.map(({ fault, verdict, failed }) => [fault, verdict, failed]);
  expect(outcomes(kills)).toEqual(outcomes(sample));
});
