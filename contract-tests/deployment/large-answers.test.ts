import { expect, test } from 'vitest';
import { largeBytes, limitLargeAnswers } from './large-answers.ts';

test('large answers are read one after the other', async () => {
  const large = limitLargeAnswers();
  const order: string[] = [];
  const read = async (name: string) => {
    const end = await large.turn();
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    end();
  };
  await Promise.all([read('first'), read('second'), read('third')]);
  expect(order).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('of large answers 256 MB are read in all, and of others any number', () => {
  const large = limitLargeAnswers();
  const eight = () => large.count(8 * largeBytes);
  for (let count = 0; count < 32; count++) eight();
  expect(eight).toThrow('it is larger than 1 MB, and 256 MB of such answers were read already');
  for (let count = 0; count < 1_000; count++) large.count(largeBytes);
});
