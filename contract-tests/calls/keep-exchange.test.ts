import { expect, test } from 'vitest';
import { getAt } from '../../openapi/json-pointer.ts';
import { exchangeOf, openContext } from '../testing.ts';
import { keepExchange } from './keep-exchange.ts';

const megabyte = 1_048_576;

test('keeps the last answers whole, and the beginning and the digest of earlier ones', () => {
  const context = openContext();
  const list = Array.from({ length: 1_000 }, (_, id) => ({ id, text: 'x'.repeat(3_000) }));
  const exchanges = Array.from({ length: 6 }, (_, index) => exchangeOf({ code: 0, data: { list, index } }));
  for (const exchange of exchanges) keepExchange(context, exchange);
  const [first, last] = [context.exchanges[0], context.exchanges.at(-1)];
  expect(context.exchanges).toHaveLength(6);
  expect(last?.response.text.length).toBeGreaterThan(2 * megabyte);
  expect(last?.response.whole).toBeUndefined();
  expect(first).toBe(exchanges[0]);
  expect(first?.response.text).toMatch(/^\{"code":0,"data":\{"list":\[\{"id":0,.*…$/);
  expect(first?.response.text).toHaveLength(65_537);
  expect(first?.response.whole).toEqual({
    bytes: expect.any(Number),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(getAt(first?.response.json, '/data/list')).toHaveLength(100);
});

test('keeps little of many answers, but for those that are written down', () => {
  const lengthsOf = (keepsExchanges: boolean) => {
    const context = openContext({ keepsExchanges });
    const text = JSON.stringify({ code: 0, text: 'x'.repeat(60_000) });
    for (let index = 0; index < 600; index += 1) keepExchange(context, exchangeOf(undefined, { text }));
    return [context.exchanges[0]?.response.text.length, context.exchanges.at(-1)?.response.text.length];
  };
  expect(lengthsOf(false)).toEqual([4_097, 60_020]);
  expect(lengthsOf(true)).toEqual([60_020, 60_020]);
});

test('learns the tokens of an answer before it is cut', () => {
  const context = openContext();
  keepExchange(context, { ...exchangeOf({ data: { token: 'st_0123456789' } }) });
  expect(context.secrets.has('st_0123456789')).toBe(true);
});
