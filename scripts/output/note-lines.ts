// A line for each thing that happens in a mock, for people. Times are those of the mock's clock, in UTC.

import { visible } from '../../contract-tests/core/visible-text.ts';
import type { ClockNote, PushNote, RequestNote } from '../../mock/control/stream/watch.ts';
import type { NamedNote, WorldNote } from '../../mock/worlds/started-worlds.ts';

/** Answers and pushes that take longer are marked. */
const slowMs = 1000;
/** Of a text of others. */
const longest = 300;

const colours = { dim: 2, red: 31, green: 32, yellow: 33 } as const;
type Colour = keyof typeof colours;

/** Colours a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

export function painter(isColoured: boolean): Paint {
  if (!isColoured) return (_colour, text) => text;
  return (colour, text) => `\u001b[${colours[colour]}m${text}\u001b[0m`;
}

/** Where something happens; nothing where that is main. */
interface Within {
  world?: string;
}

export function lineOf(note: NamedNote, paint: Paint): string {
  if (note.type === 'world') return worldLine(note, paint);
  if (note.type === 'request') return requestLine(note, paint);
  return note.type === 'push' ? pushLine(note, paint) : clockLine(note, paint);
}

export function requestLine(request: Omit<RequestNote, 'type'> & Within, paint: Paint): string {
  const { at, method, path, status, code, who, tenant, duration_ms: ms } = request;
  const place = method === '' ? '(a request that could not be read)' : `${method} ${path}`;
  const caller = who ?? tenant;
  return join([
    paint('dim', timeOfDay(at)),
    markOf(request),
    shown(place),
    paint(colourOf(status), code === undefined ? `${status}` : `${status} code ${code}`),
    caller === undefined ? '' : shown(caller),
    durationOf(ms),
    ...requestMarks(request).map((mark) => paint('yellow', mark)),
  ]);
}

function requestMarks(request: Omit<RequestNote, 'type'>): string[] {
  const { refusal, forced_by: forcedBy, delay_reason: delayReason, duration_ms: ms } = request;
  const isForced = forcedBy !== undefined && refusal === undefined && delayReason === undefined;
  const cause = delayReason ?? 'the body came late, or the machine is busy';
  return [
    refusal === undefined ? '' : `refused: ${shown(refusal)}`,
    isForced ? `asked for with ${forcedBy === 'prefer' ? 'the Prefer header' : 'an override'}` : '',
    ms < slowMs ? '' : `slow: ${cause}`,
  ];
}

/** Of an attempt; where it went and what became of the push is left out where it is not known. */
type Attempted = Pick<
  PushNote,
  'at' | 'delivery_id' | 'event' | 'number' | 'cause' | 'status' | 'error' | 'duration_ms' | 'refusal'
> &
  Partial<Pick<PushNote, 'url' | 'state' | 'next_attempt_at'>> &
  Within;

export function pushLine(push: Attempted, paint: Paint): string {
  const { at, delivery_id: id, event, number, cause, url, status, error, duration_ms: ms, refusal } = push;
  const isGood = error === undefined && refusal === undefined && (status ?? 0) >= 200 && (status ?? 0) < 300;
  const isDelivered = push.state === 'delivered';
  const answer = error === undefined ? `${status}` : shown(error);
  return join([
    paint('dim', timeOfDay(at)),
    markOf(push),
    `push ${id} ${shown(event)}`,
    cause === 'redelivery' ? `attempt ${number}, sent again` : `attempt ${number}`,
    shown(url ?? ''),
    paint(isGood ? 'green' : 'red', answer),
    durationOf(ms),
    refusal === undefined ? '' : paint('yellow', `refused: ${shown(refusal)}`),
    ms < slowMs || error !== undefined ? '' : paint('yellow', 'slow: the receiver took that long'),
    push.state === undefined
      ? ''
      : paint(isDelivered ? 'green' : 'red', stateOf({ ...push, state: push.state })),
  ]);
}

/** What became of a push, and when it is tried again. */
export function stateOf({
  state,
  at,
  next_attempt_at: next,
}: Pick<PushNote, 'state' | 'at' | 'next_attempt_at'>): string {
  if (state !== 'pending') return state === 'delivered' ? 'delivered' : 'given up';
  const ms = next === undefined ? 0 : Date.parse(next) - Date.parse(at);
  return next === undefined || ms <= 0 ? 'due' : `next ${timeOfDay(next)} (in ${spanOf(ms)})`;
}

function clockLine(clock: ClockNote & Within, paint: Paint): string {
  const { now, mode } = clock;
  const how = mode === 'manual' ? 'stands still' : 'runs';
  return join([paint('dim', timeOfDay(now)), markOf(clock), `clock at ${now}`, how]);
}

function worldLine(note: WorldNote, paint: Paint): string {
  const { at, change, expires_at: expiresAt } = note;
  const until = expiresAt === undefined ? '' : `expires at ${expiresAt}, by real time`;
  const what = change === 'begun' ? 'world begins' : `world has ${change}`;
  return join([paint('dim', timeOfDay(at)), markOf(note), what, until]);
}

function markOf({ world }: Within): string {
  return world === undefined ? '' : `[${world}]`;
}

/** A text of others: in one line, harmless, and not too long. */
export function shown(text: string): string {
  return visible(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** "03:04:05.678". */
export function timeOfDay(at: string): string {
  return at.slice(11, 23);
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('  ');
}

function colourOf(status: number): Colour {
  if (status >= 500 || status === 0) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}

function durationOf(ms: number): string {
  if (ms >= slowMs) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}

/** "5 min", "1 h 30 min". */
function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120 && seconds % 60 !== 0) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
}
