import { expect, test } from 'vitest';
import { robotMessages } from '../../../openapi/robots/testing/robot-messages.ts';
import { offsetOf, styleOf, unitOf } from '../../push-receiver/push-format.ts';
import { pushOfRobot } from '../../testing.ts';
import { robotComplaint } from './robot-rules.ts';

test.for([
  ['2026-01-02T03:04:05Z', 'Z'],
  ['2026-01-02T03:04:05z', 'Z'],
  ['2026-01-02T03:04:05.678+08:00', '+08:00'],
  ['20260102T030405+0800', '+08:00'],
  ['2026-01-02T03:04:05', undefined],
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

// The same table tests the robots of the mock.
test.for(robotMessages)('$robot: $what', (row) => {
  const complaint = robotComplaint(row.robot, pushOfRobot(row));
  if (row.refusedBy.length === 2) expect(complaint).toMatch(row.reason ?? /never/);
  else expect(complaint).toBeUndefined();
});

const now = 1_767_323_045_678;

test.for([
  ['1767323045', 'seconds'],
  ['1767323345', 'seconds'],
  ['1767323346', undefined],
  ['1767322746', 'seconds'],
  ['1767322745', undefined],
  ['1767323045678', 'milliseconds'],
  ['1767323345678', 'milliseconds'],
  ['1767323345679', undefined],
  ['1767323045678000', undefined],
  ['1767323045.678', 'seconds'],
  ['-1767323045', undefined],
  [' 1767323045', undefined],
  ['2026-01-02T03:04:05Z', undefined],
  ['0', undefined],
  ['', undefined],
] as const)('"%s" is now in %s', ([text, want]) => {
  expect(unitOf(text, { from: now, to: now })).toBe(want);
});

test('takes a moment known only to a step for any moment in it', () => {
  expect(unitOf('1767320000', { from: now - 3_600_000, to: now })).toBe('seconds');
});
