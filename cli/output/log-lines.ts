// The log of the mock: a line for people, or JSON for programs. Times are by the clock of the mock, in UTC.
import { styleText } from 'node:util';
import { visible, visibleJson, visibleLines } from '../../contract-tests/core/visible-text.ts';
import type { ClockNote, PushNote, RequestNote } from '../../mock/control/stream/watch.ts';
import type { NamedNote, WorldNote } from '../../mock/worlds/started-worlds.ts';
import { formatTime } from './progress.ts';

/** Slower answers and pushes are marked. */
const slowMs = 1000;
/** Characters of a text from outside. */
const longest = 300;

type Colour = 'dim' | 'red' | 'green' | 'yellow';

export type Paint = (colour: Colour, text: string) => string;

/** Terminals get colours, unless NO_COLOR or FORCE_COLOR say otherwise. */
export function painter(stream: NodeJS.WritableStream): Paint {
  return (colour, text) => (text === '' ? '' : styleText(colour, text, { stream }));
}

type LogFormat = 'text' | 'json';

/** An internal error of the mock, or a reloaded file. */
interface MessageNote {
  type: 'error' | 'reload';
  message: string;
}

type LogWriter = (notes: readonly (NamedNote | MessageNote)[]) => void;

/** If more is unread, lines are dropped. */
const mostUnreadBytes = 1_000_000;

/** Writes each list of notes at once, and never blocks the mock. */
export function createLogWriter(format: LogFormat, stream: NodeJS.WriteStream = process.stderr): LogWriter {
  const paint = painter(stream);
  const toLine = (note: NamedNote | MessageNote) => {
    if (format === 'json') return visibleJson(note);
    return 'message' in note ? visibleLines(note.message) : lineOf(note, paint);
  };
  let isClosed = false;
  let dropped = 0;
  // The reader has gone; the mock continues.
  stream.on('error', () => {
    isClosed = true;
  });
  return (notes) => {
    if (isClosed) return;
    if (stream.writableLength > mostUnreadBytes) {
      dropped += notes.length;
      return;
    }
    const lines = notes.map(toLine);
    if (dropped > 0) lines.unshift(droppedLine(format, dropped));
    dropped = 0;
    // As bytes, because the lines are harmless already and the output guard would remove their colours.
    stream.write(Buffer.from(`${lines.join('\n')}\n`));
  };
}

function droppedLine(format: LogFormat, count: number): string {
  if (format === 'json') return JSON.stringify({ type: 'dropped', count });
  return `(${count} lines were dropped, because nothing read them)`;
}

const longestEndMs = 500;

/** Ends the process even if the log is not read. */
export function exitDespiteUnread(): void {
  if (process.stderr.writableLength > 0) setTimeout(() => process.exit(), longestEndMs).unref();
}

/** Missing for the world main. */
interface Within {
  world?: string;
}

export function lineOf(note: NamedNote, paint: Paint): string {
  if (note.type === 'request') return requestLine(note, paint);
  if (note.type === 'push') return pushLine(note, paint);
  return note.type === 'clock' ? clockLine(note, paint) : worldLine(note, paint);
}

export function requestLine(request: Omit<RequestNote, 'type'> & Within, paint: Paint): string {
  const { method, path, status, code, who, tenant, duration_ms: ms } = request;
  return join(request, paint, [
    shown(method === '' ? '(unreadable request)' : `${method} ${path}`),
    paint(colourOf(status), code === undefined ? `${status}` : `${status} code ${code}`),
    shown(who ?? tenant ?? ''),
    durationOf(ms),
    ...explainAnswer(request).map((mark) => paint('yellow', mark)),
  ]);
}

function explainAnswer(request: Omit<RequestNote, 'type'>): string[] {
  const { refusal, forced_by: forcedBy, delay_reason: delayReason, duration_ms: ms } = request;
  const isForced = forcedBy !== undefined && refusal === undefined && delayReason === undefined;
  return [
    refusal === undefined ? '' : `refused: ${shown(refusal)}`,
    isForced ? `forced by ${forcedBy === 'prefer' ? 'the Prefer header' : 'an override'}` : '',
    ms < slowMs ? '' : `slow: ${delayReason ?? 'the body came late, or the machine is busy'}`,
  ];
}

/** `url` and `state` are missing if they are unknown. */
type Attempted = Pick<
  PushNote,
  'at' | 'delivery_id' | 'event' | 'number' | 'cause' | 'status' | 'error' | 'duration_ms' | 'refusal'
> &
  Partial<Pick<PushNote, 'url' | 'state' | 'next_attempt_at'>> &
  Within;

export function pushLine(push: Attempted, paint: Paint): string {
  const { delivery_id: id, event, number, cause, url, status = 0, error, duration_ms: ms } = push;
  const { refusal, state } = push;
  const isGood = error === undefined && refusal === undefined && status >= 200 && status < 300;
  return join(push, paint, [
    `push ${id} ${shown(event)}`,
    `attempt ${number}${cause === 'redelivery' ? ', sent again' : ''}`,
    shown(url ?? ''),
    paint(isGood ? 'green' : 'red', error === undefined ? `${status}` : shown(error)),
    durationOf(ms),
    paint('yellow', refusal === undefined ? '' : `refused: ${shown(refusal)}`),
    paint('yellow', ms < slowMs || error !== undefined ? '' : 'slow: the receiver took that long'),
    paint(state === 'delivered' ? 'green' : 'red', state === undefined ? '' : stateOf({ ...push, state })),
  ]);
}

export function stateOf(push: Pick<PushNote, 'state' | 'at' | 'next_attempt_at'>): string {
  const { state, at, next_attempt_at: next } = push;
  if (state !== 'pending') return state === 'delivered' ? 'delivered' : 'given up';
  const ms = next === undefined ? 0 : Date.parse(next) - Date.parse(at);
  return next === undefined || ms <= 0 ? 'due' : `next ${timeOfDay(next)} (in ${formatTime(ms)})`;
}

function clockLine(clock: ClockNote & Within, paint: Paint): string {
  const { now, mode } = clock;
  const how = mode === 'manual' ? 'stopped' : 'running';
  return join({ ...clock, at: now }, paint, [`clock at ${now}`, how]);
}

function worldLine(note: WorldNote, paint: Paint): string {
  const { change, expires_at: expiresAt } = note;
  const until = expiresAt === undefined ? '' : `expires at ${expiresAt}, by real time`;
  return join(note, paint, [`world ${change === 'begun' ? 'created' : change}`, until]);
}

function join({ at, world }: Within & { at: string }, paint: Paint, parts: readonly string[]): string {
  const place = world === undefined ? '' : `[${world}]`;
  return [paint('dim', timeOfDay(at)), place, ...parts].filter((part) => part !== '').join('  ');
}

/** Makes a text from outside harmless: one line, no control characters, limited length. */
export function shown(text: string): string {
  return visible(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** "03:04:05.678". */
export function timeOfDay(at: string): string {
  return at.slice(11, 23);
}

function colourOf(status: number): Colour {
  if (status >= 500 || status === 0) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}

function durationOf(ms: number): string {
  if (ms >= slowMs) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}
