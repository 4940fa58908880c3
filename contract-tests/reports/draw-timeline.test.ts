import { expect, test } from 'vitest';
import { drawTimeline } from './draw-timeline.ts';

test('draws what came when, and longer lines for longer times', () => {
  const timeline = [
    { after_s: 0, what: '500' },
    { after_s: 61, what: '500' },
    { after_s: 361, what: '500' },
    { after_s: 2161, what: 'nothing' },
  ];
  expect(drawTimeline(timeline)).toBe(
    '0 s ● 500 ──── 61 s ● 500 ───────── 361 s ● 500 ──────────────── 2161 s ○ nothing',
  );
});

test('draws a single moment without a line', () => {
  expect(drawTimeline([{ after_s: 3, what: 'a push' }])).toBe('3 s ● a push');
});
