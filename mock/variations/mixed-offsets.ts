import { formatTimestamp } from '../webhooks/render.ts';
import { drawBetween } from '../world/random.ts';
import type { Variation } from './variation.ts';

const offsets = ['Z', '+00:00', '+08:00', '+05:45', '-03:30', '-11:00', '+14:00'];
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/;

/** Always the same instant: section 6.3 requires an offset, but not a particular one. */
export const mixedOffsets: Variation = {
  id: 'mixed-offsets',
  title: 'The `timestamp` of a push has `Z` in some bodies and other UTC offsets in others.',
  customBody: (body, { name, draw }) => {
    const { timestamp } = body;
    if (typeof timestamp !== 'string' || !dateTime.test(timestamp)) return body;
    const offset = offsets[drawBetween(draw(name), 0, offsets.length - 1)] ?? 'Z';
    return { ...body, timestamp: formatTimestamp(Date.parse(timestamp), offset) };
  },
};
