// The deployment's clock: real time, or the clock of a mock, which the run moves.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Control, ControlError } from './control-api.ts';

/** A time range in milliseconds since 1970. On a moved clock only the step is known. */
export interface Moment {
  from: number;
  to: number;
}

export interface Clock {
  /** In milliseconds since 1970. */
  now(): number;
  /** Now, or the whole step while the clock is being moved. */
  moment(): Moment;
  /** Waits, or moves the clock, until a time. Users read "waiting … for `what`". */
  waitUntil(time: number, what: string): Promise<void>;
  /** The same for a duration. */
  pass(ms: number, what: string): Promise<void>;
  /** Announces a wait until this time, without waiting. */
  announce(time: number, what: string): void;
  /** Makes moves of the clock stop at a time, so that events before and after it can be distinguished. */
  mark(time: number): void;
  /** Waits until a mock has done everything caused so far. Returns at once in real time. */
  settle(): Promise<void>;
  /** Whether the run moves the clock, so that waiting takes no time. */
  isMoved: boolean;
}

/** Called before each wait of more than a second. `until` is real time in milliseconds since 1970. */
export type OnWait = (until: number, what: string) => void;

/** `signal` ends pending waits. */
export function createRealClock(onWait: OnWait = () => {}, signal?: AbortSignal): Clock {
  const announce = (time: number, what: string) => {
    if (time - Date.now() > 1_000) onWait(time, what);
  };
  const waitUntil = async (time: number, what: string) => {
    const ms = time - Date.now();
    if (ms <= 0) return;
    announce(time, what);
    // After an interruption, the clean-up may still wait.
    await sleep(ms, undefined, { ...(signal && !signal.aborted && { signal }) });
  };
  return {
    now: Date.now,
    moment: () => ({ from: Date.now(), to: Date.now() }),
    waitUntil,
    announce,
    pass: (ms, what) => waitUntil(Date.now() + ms, what),
    mark: () => {},
    settle: async () => {},
    isMoved: false,
  };
}

export async function createMovedClock(control: Control): Promise<Clock> {
  let read = { ...(await control.readClock()), at: Date.now() };
  let step: Moment | undefined;
  const marks = new Set<number>();
  const now = () => (read.mode === 'manual' ? read.now : read.now + Date.now() - read.at);
  const move = async (to: number) => {
    const from = now();
    // The clock may have advanced since the caller read it.
    if (to <= from) return;
    step = { from, to };
    try {
      read = { ...(await control.advance(to - from)), at: Date.now() };
      // Without this check, a waiting caller would loop forever.
      if (now() < Math.floor(to) - 1)
        throw new ControlError('the control API did not move its clock as requested');
    } finally {
      step = undefined;
    }
  };
  const waitUntil = async (time: number) => {
    const stops = [...marks].filter((mark) => mark > now() && mark < time).sort((one, other) => one - other);
    for (const stop of [...stops, time]) if (stop > now()) await move(stop);
  };
  return {
    now,
    moment: () => step ?? { from: now(), to: now() },
    waitUntil,
    announce: () => {},
    pass: (ms) => waitUntil(now() + ms),
    mark: (time) => void marks.add(time),
    settle: () => control.drain(),
    isMoved: true,
  };
}
