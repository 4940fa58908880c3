import { expect, test } from 'vitest';
import { offsetOf, styleOf } from '../../push-receiver/push-format.ts';

test.for([
  ['2026-01-02T03:04:05Z', 'Z'],
  ['2026-01-02T03:04:05.678+08:00', '+08:00'],
  ['2026-01-02T03:04:05,678-03:30', '-03:30'],
  ['2026-01-02T03:04+0800', '+08:00'],
  ['2026-01-02T03:04:05+08', '+08:00'],
  ['2016-12-31T23:59:60Z', 'Z'],
  ['20260102T030405+0800', '+08:00'],
  ['2026-01-02T03:04:05-23:59', '-23:59'],
  ['2026-01-02T03:04:05+80:00', undefined],
  ['2026-01-02T03:04:05+08:60', undefined],
  ['2026-01-02T03:04:05', undefined],
  ['2026-01-02 03:04:05+08:00', undefined],
  ['2026-01-02', undefined],
  ['2026-13-02T03:04:05Z', undefined],
  ['2026-01-02T25:04:05Z', undefined],
  ['2026-01-02T03:04:05+8', undefined],
  ['2026-01-02T03:04:05z', 'Z'],
  ['Fri, 02 Jan 2026 03:04:05 GMT', undefined],
  ['1767323045', undefined],
  ['', undefined],
] as const)('the offset of "%s" is %s', ([timestamp, want]) => {
  expect(offsetOf(timestamp)).toBe(want);
});

test.for([
  ['{"a":1,"b":"海"}', 'compact'],
  ['{"site_id":7301444412345678901,"b":"海"}', 'compact'],
  ['{"a": 1, "b": "海"}', 'spaced'],
  ['{\n  "a": 1,\n  "b": "海"\n}', 'pretty'],
  ['{"a":1,"b":"\\u6d77"}', 'escaped'],
  ['{"a":1 ,"b":"海"}', 'another'],
] as const)('%j is written in the style %s', ([text, want]) => {
  expect(styleOf(text)).toBe(want);
});
