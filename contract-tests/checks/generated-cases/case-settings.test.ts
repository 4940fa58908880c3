import { expect, test } from 'vitest';
import { deriveSeed } from './case-seed.ts';
import { areCasesMade, casesOf, scaleCosts } from './case-settings.ts';

test.for([
  [{ tier: 'full' }, true],
  [{ tier: 'full', cases: 1 }, true],
  [{ tier: 'full', cases: 0 }, false],
  [{ tier: 'safe', cases: 24 }, false],
  [{ tier: 'smoke' }, false],
] as const)('with %j cases are made: %j', ([options, want]) => {
  expect(areCasesMade(options)).toBe(want);
});

test('there are 24 cases a check unless others are asked for', () => {
  expect([casesOf({}), casesOf({ cases: 7 })]).toEqual([24, 7]);
});

test('each kind is drawn from its own seed, the same each time', () => {
  expect(deriveSeed(1, 'a')).toBe(deriveSeed(1, 'a'));
  expect(new Set([deriveSeed(1, 'a'), deriveSeed(2, 'a'), deriveSeed(1, 'b')]).size).toBe(3);
});

test.for([
  [24, 24, 8],
  [48, 48, 8],
  [25, 25, 8],
  [6, 24, 8],
])(
  'with %d cases a generated check costs at most %d calls, and another as many as ever',
  ([cases, generated, other]) => {
    const cost = (createSubscription: number) => ({
      calls: { createSubscription },
      logins: { main: 0, other: 0 },
      steps: [],
    });
    const costs = { checks: { 'hook-4-generated-x': cost(24), 'hook-4-channel-slack': cost(8) }, steps: {} };
    const { checks } = scaleCosts(costs, { cases: cases ?? 0 });
    expect(checks).toMatchObject({
      'hook-4-generated-x': { calls: { createSubscription: generated } },
      'hook-4-channel-slack': { calls: { createSubscription: other } },
    });
  },
);
