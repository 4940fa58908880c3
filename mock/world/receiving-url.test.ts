import { expect, test } from 'vitest';
import { isReceivingUrl } from './receiving-url.ts';

test.for<[string, boolean]>([
  ['https://hooks.example/x?key=1', true],
  ['HTTP://127.0.0.1:9000', true],
  ['http://[::1]/', true],
  ['https://海港.example/', true],
  ['http:///x', false],
  ['http:x', false],
  ['http://', false],
  ['http://?x', false],
  ['http://x:99999/', false],
  ['ftp://x.example/', false],
  ['//x.example/', false],
  [' https://x.example/', false],
  ['', false],
])('%j: %s', ([text, want]) => {
  expect(isReceivingUrl(text)).toBe(want);
});
