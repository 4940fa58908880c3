import { expect, test } from 'vitest';
import { worldNameIn } from './page/world-name.ts';

test.for([
  ['/_mock/', undefined],
  ['/w/pr-1/_mock/', 'pr-1'],
  ['/behind/a/proxy/w/Shop.2_b/_mock/', 'Shop.2_b'],
  ['/w/_mock/', undefined],
])('the console at %s is of the world %s', ([path, name]) => {
  expect(worldNameIn(String(path))).toBe(name);
});
