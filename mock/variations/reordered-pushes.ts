import { drawBetween } from '../world/random.ts';
import type { Variation } from './variation.ts';

const longestMs = 40;

export const reorderedPushes: Variation = {
  id: 'reordered-pushes',
  title: 'Pushes may arrive in another order than their events.',
  pushDelay: ({ name, draw }) => drawBetween(draw(name), 0, longestMs),
};
