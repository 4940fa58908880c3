import { drawBetween } from '../world/random.ts';
import type { Variation } from './variation.ts';

const oneOf = 8;
const longestMs = 150;

export const slowAnswers: Variation = {
  id: 'slow-answers',
  title: `Some answers of the service take up to ${longestMs} ms.`,
  answerDelay: ({ name, draw }) => {
    const source = draw(name);
    return drawBetween(source, 1, oneOf) === 1 ? drawBetween(source, 0, longestMs) : 0;
  },
};
