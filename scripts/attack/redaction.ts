// Secrets that are made up, in texts and encodings that are made up.
import { redactionProperties } from '../../contract-tests/redaction/testing/properties.ts';
import type { Group } from './group.ts';

const runsPerSeed = 200;

export const redaction: Group = {
  id: 'redaction',
  what: 'secrets of random characters in texts and encodings of random seeds, two encodings in each other',
  promise: 'hidden whole, whatever stands around them; texts without a secret stay as they are',
  trials: (seeds) =>
    redactionProperties.map(([id, check]) => ({
      id,
      count: seeds.length * runsPerSeed,
      run: async () => ({ id, broken: seeds.flatMap((seed) => brokenWith(seed, check)) }),
    })),
};

type Check = (typeof redactionProperties)[number][1];

function brokenWith(seed: number, check: Check): string[] {
  const { numRuns, message } = check({ seed, numRuns: runsPerSeed });
  if (message !== undefined) return [message];
  return numRuns === runsPerSeed ? [] : [`only ${numRuns} of ${runsPerSeed} were tried`];
}
