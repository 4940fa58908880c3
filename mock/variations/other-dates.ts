import { drawBetween } from '../world/random.ts';
import type { Variation } from './variation.ts';

const calendarDate = /^(\d{4})-(\d\d)-(\d\d)(?=T)/;
const dayMs = 86_400_000;

/** ISO 8601 knows three ways to name a day. */
export const otherDates: Variation = {
  id: 'other-dates',
  title:
    'The `timestamp` of a push names the day by its number in the year in some bodies, and by its week in others.',
  onlyByName: true,
  customBody: (body, { name, draw }) => {
    const { timestamp } = body;
    if (typeof timestamp !== 'string' || !calendarDate.test(timestamp)) return body;
    const write = drawBetween(draw(name), 0, 1) === 0 ? ordinalDate : weekDate;
    return {
      ...body,
      timestamp: timestamp.replace(calendarDate, (day) => write(Date.parse(`${day}T00:00:00Z`))),
    };
  },
};

/** "2026-002" for the second of January. */
export function ordinalDate(day: number): string {
  const year = new Date(day).getUTCFullYear();
  return `${year}-${String(dayOfYear(day, year)).padStart(3, '0')}`;
}

/** "2026-W01-5" for the Friday of the first week. A week belongs to the year of its Thursday. */
export function weekDate(day: number): string {
  const weekday = new Date(day).getUTCDay() || 7;
  const thursday = day + (4 - weekday) * dayMs;
  const year = new Date(thursday).getUTCFullYear();
  const week = Math.ceil(dayOfYear(thursday, year) / 7);
  return `${year}-W${String(week).padStart(2, '0')}-${weekday}`;
}

function dayOfYear(day: number, year: number): number {
  return Math.round((day - Date.UTC(year, 0, 1)) / dayMs) + 1;
}
