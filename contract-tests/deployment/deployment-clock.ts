// The deployment's clock: real time, for which a run waits, or the clock of a mock, which it moves.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Control, ControlError } from './control-api.ts';

/** When something happened, in milliseconds since 1970; on a moved clock only the step is known. */
export interface Moment {
  from: number;
  to: number;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** The present moment; while the clock is moved, the whole step. */
  moment(): Moment;
  /** Waits, or moves the clock, until a time. `what` names the reason to the user. */
  waitUntil(time: number, what: string): Promise<void>;
  /** The same for a duration. */
  pass(ms: number, what: string): Promise<void>;
  /** Tells the user of a wait that ends at this time at the latest, without waiting. */
  announce(time: number, what: string): void;
  /** Makes a move of the clock stop at a time, so that events before and after it can be distinguished. */
  mark(time: number): void;
  /** Waits until everything caused so far has taken effect; returns at once where the clock can't be moved. */
  settle(): Promise<void>;
  /** Whether waiting takes no time. */
  isMoved: boolean;
}

/** Called before every wait of more than a second: its end (real time, in milliseconds since 1970), and its reason. */
export type OnWait = (until: number, what: string) => void;

/** Real time. `signal` ends pending waits. */
export function createRealClock(onWait: OnWait = () => {}, signal?: AbortSignal): Clock {
  const announce = (time: number, what: string) => {
    if (time - Date.now() > 1_000) onWait(time, what);
  };
  const waitUntil = async (time: number, what: string) => {
    const ms = time - Date.now();
    if (ms <= 0) return;
    announce(time, what);
    // The clean-up after an interruption may have to wait as well.
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

/** The clock of a mock. */
export async function createMovedClock(control: Control): Promise<Clock> {
  let read = { ...(await control.readClock()), at: Date.now() };
  let step: Moment | undefined;
  const marks = new Set<number>();
  const now = () => (read.mode === 'manual' ? read.now : read.now + Date.now() - read.at);
  const move = async (to: number) => {
    const from = now();
    // Time may have passed by itself since the caller looked.
    if (to <= from) return;
    step = { from, to };
    try {
      read = { ...(await control.advance(to - from)), at: Date.now() };
      // Who waits for a time would ask for it again and again.
      if (now() < Math.floor(to) - 1)
        throw new ControlError('the control API did not move its clock as it was told');
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
