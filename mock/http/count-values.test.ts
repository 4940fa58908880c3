import { expect, test } from 'vitest';
import { countValues } from './count-values.ts';

test.each([
  ['', 0],
  ['"a, [b] {c}"', 0],
  ['"\\"," ', 0],
  ['"\\\\",1', 1],
  ['[1,2,3]', 3],
  ['{"a":1,"b":[]}', 3],
  ['[{"a":1},{"b":2}]', 4],
  ['"never closed, [', 0],
])('%s', (text, want) => {
  expect(countValues(text)).toBe(want);
});
