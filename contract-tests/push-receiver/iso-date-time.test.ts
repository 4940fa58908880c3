import { expect, test } from 'vitest';
import { readIsoDateTime } from './iso-date-time.ts';

const instant = Date.UTC(2026, 10, 22, 14, 50, 7);

test.for([
  ['2026-11-22T15:50:07+01:00', '+01:00'],
  ['2026-11-22T14:50:07Z', 'Z'],
  ['2026-11-22T14:50:07.000Z', 'Z'],
  ['2026-11-22T11:20:07-03:30', '-03:30'],
] as const)('%s has the usual form', ([text, offset]) => {
  expect(readIsoDateTime(text)).toMatchObject({ from: instant, offset, isUsual: true });
});

test.for([
  ['2026-326T15:50:07+01:00', '+01:00'],
  ['2026-W47-7T15:50:07+01:00', '+01:00'],
  ['2026W477T155007+0100', '+01:00'],
  ['2026326T155007+01', '+01:00'],
  ['20261122T155007+0100', '+01:00'],
  ['2026-11-22T15:50:07+0100', '+01:00'],
  ['2026-11-22T15:50:07,0+01:00', '+01:00'],
  ['2026-11-22T13:50:07−01:00', '-01:00'],
  ['2026-11-22t14:50:07z', 'Z'],
] as const)('%s is valid but unusual', ([text, offset]) => {
  expect(readIsoDateTime(text)).toMatchObject({ from: instant, offset, isUsual: false });
});

test('applies a fraction to the last written unit', () => {
  expect(readIsoDateTime('2026-11-22T14:50:07.25Z')).toMatchObject({
    from: instant + 250,
    to: instant + 260,
  });
  expect(readIsoDateTime('2026-11-22T14.5Z')?.from).toBe(Date.UTC(2026, 10, 22, 14, 30));
  expect(readIsoDateTime('2026-11-22T14,5Z')?.to).toBe(Date.UTC(2026, 10, 22, 14, 36));
});

test('returns a range for omitted units', () => {
  const hour = { from: Date.UTC(2026, 10, 22, 14), to: Date.UTC(2026, 10, 22, 15) };
  expect(readIsoDateTime('2026-11-22T14Z')).toMatchObject(hour);
});

test('handles weeks and days across the year boundary', () => {
  expect(readIsoDateTime('2026-W53-5T00:00:00Z')?.from).toBe(Date.UTC(2027, 0, 1));
  expect(readIsoDateTime('2027-W01-1T00:00:00Z')?.from).toBe(Date.UTC(2027, 0, 4));
  expect(readIsoDateTime('2024-366T24:00:00Z')?.from).toBe(Date.UTC(2025, 0, 1));
  expect(readIsoDateTime('2016-12-31T23:59:60Z')?.from).toBe(Date.UTC(2017, 0, 1));
});

test.for([
  '2026-11-22T15:50:07',
  '2026-11-22 15:50:07+01:00',
  '2026-11-22T15:50:07 GMT',
  '2026-11-22T15:50:07+80:00',
  '2026-11-22T25:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-366T00:00:00Z',
  '2026-W54-1T00:00:00Z',
  '2026-11-22',
  '1795360453',
])('refuses %s', (text) => {
  expect(readIsoDateTime(text)).toBeUndefined();
});
