import { expect, test } from 'vitest';
import { whyNotJson } from './not-json.ts';

const json = '{"code":0,"message":"success","data":{"list":[1,2]},"trace_id":"t"}';

test.for([
  ['UTF-16 with a mark', Buffer.from(`\uFEFF${json}`, 'utf16le').toString(), /UTF-16/],
  ['UTF-16 without one', Buffer.from(json, 'utf16le').toString(), /UTF-16/],
  ['UTF-16, the other byte first', Buffer.from(`\uFEFF${json}`, 'utf16le').swap16().toString(), /UTF-16/],
  ['a guard', `)]}',\n${json}`, /guard/],
  ['an endless loop', `while(1);${json}`, /guard/],
  ['JSONP', `/**/callback(${json});`, /JSONP/],
  ['NaN', json.replace('0', 'NaN'), /NaN/],
  ['a last comma', json.replace('2]', '2,]'), /comma/],
  ['two texts', `${json}\n${json}`, /several/],
  ['a page', '<!doctype html><p>x', undefined],
  ['nothing', ' ', undefined],
  ['words', 'Bad Gateway', undefined],
  ['the beginning of JSON', json.slice(0, -5), undefined],
] as const)('names what keeps a body from being JSON: %s', ([, text, want]) => {
  const why = whyNotJson(text);
  if (want) expect(why).toMatch(want);
  else expect(why).toBeUndefined();
});
