import { drawBetween } from '../world/random.ts';
import type { Variation } from './variation.ts';

const oneOf = 3;

/** At-least-once delivery: the copy is no attempt, and its answer is ignored. */
export const duplicatePushes: Variation = {
  id: 'duplicate-pushes',
  title: 'Some pushes arrive twice, one right after the other and byte for byte the same.',
  isSentTwice: ({ name, draw }) => drawBetween(draw(name), 1, oneOf) === 1,
};
