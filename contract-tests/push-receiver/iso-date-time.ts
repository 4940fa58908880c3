/** A date-time as a range as wide as its precision, in milliseconds since 1970. */
export interface IsoDateTime {
  from: number;
  to: number;
  /** Normalized: "Z", or hours and minutes such as "+01:00". */
  offset: string;
  /** Whether it has the form of RFC 3339, which most parsers expect. */
  isUsual: boolean;
}

const calendar = String.raw`(?<month>\d{2})-?(?<day>\d{2})`;
const week = String.raw`W(?<week>\d{2})-?(?<weekday>[1-7])`;
const date = String.raw`(?<year>\d{4})-?(?:${calendar}|${week}|(?<ordinal>\d{3}))`;
const time = String.raw`(?<hour>\d{2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2}))?)?(?:[.,](?<fraction>\d+))?`;
const offset = String.raw`(?<zulu>[Zz])|(?<sign>[+\-−])(?<hours>[01]\d|2[0-3])(?::?(?<minutes>[0-5]\d))?`;
const isoDateTime = new RegExp(`^${date}[Tt]${time}(?:${offset})$`);
const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const dayMs = 86_400_000;

type Parts = Readonly<Record<string, string | undefined>>;

/** Reads an ISO 8601 date-time (calendar, ordinal or week date; basic or extended format). Undefined if invalid or without offset. */
export function readIsoDateTime(text: string): IsoDateTime | undefined {
  const parts: Parts | undefined = isoDateTime.exec(text)?.groups;
  const day = parts && dayOf(parts);
  const at = parts && timeOf(parts);
  if (!parts || day === undefined || !at) return undefined;
  const written = offsetOf(parts);
  const from = day + at.ms - minutesOf(written) * 60_000;
  return { from, to: from + at.precisionMs, offset: written, isUsual: usual.test(text) };
}

/** The start of the day in milliseconds; undefined if the day does not exist. */
function dayOf(parts: Parts): number | undefined {
  const year = Number(parts.year);
  const first = Date.UTC(year, 0, 1);
  if (parts.ordinal !== undefined) {
    const day = first + (Number(parts.ordinal) - 1) * dayMs;
    return parts.ordinal !== '000' && new Date(day).getUTCFullYear() === year ? day : undefined;
  }
  if (parts.week !== undefined) {
    const number = Number(parts.week);
    // January 4 is always in week 1, and weeks begin on Monday.
    const fourth = Date.UTC(year, 0, 4);
    const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
    if (number < 1 || number > 53) return undefined;
    return monday + ((number - 1) * 7 + Number(parts.weekday) - 1) * dayMs;
  }
  const day = Date.UTC(year, Number(parts.month) - 1, Number(parts.day));
  const isReal = new Date(day).toISOString().slice(5, 10) === `${parts.month}-${parts.day}`;
  return isReal ? day : undefined;
}

/** The time of day. The last unit may have a fraction. Undefined if the time does not exist. */
function timeOf({
  hour,
  minute,
  second,
  fraction = '',
}: Parts): { ms: number; precisionMs: number } | undefined {
  const [hours, minutes, seconds] = [Number(hour), Number(minute ?? 0), Number(second ?? 0)];
  const isMidnight = hours === 24 && minutes === 0 && seconds === 0;
  if ((hours > 23 && !isMidnight) || minutes > 59 || seconds > 60) return undefined;
  const unitMs = second !== undefined ? 1_000 : minute !== undefined ? 60_000 : 3_600_000;
  const ms = (hours * 3_600 + minutes * 60 + seconds) * 1_000 + Number(`0.${fraction || 0}`) * unitMs;
  return { ms, precisionMs: unitMs / 10 ** fraction.length };
}

function offsetOf({ zulu, sign, hours, minutes = '00' }: Parts): string {
  return zulu === undefined ? `${sign === '+' ? '+' : '-'}${hours}:${minutes}` : 'Z';
}

function minutesOf(written: string): number {
  if (written === 'Z') return 0;
  const [hours = 0, minutes = 0] = written.slice(1).split(':').map(Number);
  return (written.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
