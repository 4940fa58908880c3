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

test('of large answers 192 MB are read in all, and of others any number', () => {
  const large = limitLargeAnswers();
  const eight = () => large.count({ bytes: 8 * 1_048_576, values: 0 });
  for (let count = 0; count < 24; count++) eight();
  expect(eight).toThrow('it is large, and 192 MB of large answers were read already');
  for (let count = 0; count < 1_000; count++) large.count({ bytes: largeBytes, values: 0 });
});

test('values count as well', () => {
  const large = limitLargeAnswers();
  const many = () => large.count({ bytes: 0, values: 100_000 });
  for (let count = 0; count < 50; count++) many();
  expect(many).toThrow('it is large');
});
