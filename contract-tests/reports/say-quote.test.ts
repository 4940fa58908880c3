import { expect, test } from 'vitest';
import { readRequirements } from '../../openapi/registers.ts';
import { sayQuote } from './say-quote.ts';

test.for([
  ['a sentence', 'All bodies are JSON.', 'All bodies are JSON.'],
  ['two sentences', 'At most 5 per tenant. … All bodies.', 'At most 5 per tenant. … All bodies.'],
  ['a row', '| Limit | Value | … | Login | 10 per minute |', 'Login (value: 10 per minute)'],
  [
    'the beginning of a row',
    '| Field | Type | Meaning | … | data | object | Business',
    'data (type: object; meaning: Business)',
  ],
  ['a row without its header', '| username | string | yes |', 'username (string; yes)'],
  ['single cells', 'It carries: … | Date | … | Age |', 'It carries: … Date … Age'],
  [
    'operations',
    '| Method | Path | Response data | … | POST | /a | a token | … | GET | /b | a list |',
    'POST /a (response data: a token) … GET /b (response data: a list)',
  ],
  [
    'rows of two tables',
    '| Field | Type | … | code | integer | … | Limit | Value | … | Login | 10 |',
    'code (type: integer) … Login (value: 10)',
  ],
])('writes %s as text', ([, quote = '', text]) => {
  expect(sayQuote(quote)).toBe(text);
});

test('no text of a quoted promise contains table markup or a table header', () => {
  const texts = readRequirements().map(({ quote }) => sayQuote(quote));
  expect(texts.filter((text) => /\||… (?:Field|Limit|Method) /.test(text))).toEqual([]);
});
