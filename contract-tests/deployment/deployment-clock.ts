// The time that the deployment goes by: real time, which is waited for, or the clock of a mock, which is moved.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Control } from './control-api.ts';

/** When something happened, in milliseconds since 1970: on a clock that is moved it is known to the step. */
export interface Moment {
  from: number;
  to: number;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** The present moment; while the clock is moved, the whole step. */
  moment(): Moment;
  /** Waits, or moves the clock, until a time. `what` is told to whoever watches. */
  waitUntil(time: number, what: string): Promise<void>;
  /** The same, from now on. */
  pass(ms: number, what: string): Promise<void>;
  /** A time at which a move of the clock stops on its way, so that what happens before and after can be told apart. */
  mark(time: number): void;
  /** Lets everything that was caused so far take its effect; where the clock can't be moved, there is no way to know. */
  settle(): Promise<void>;
  /** Whether waiting takes no time. */
  isMoved: boolean;
}

/** Told before every wait of more than a second: until when (real time, in milliseconds since 1970), and what for. */
export type OnWait = (until: number, what: string) => void;

/** Real time. `signal` ends the waits that go on when it comes. */
export function createRealClock(onWait: OnWait = () => {}, signal?: AbortSignal): Clock {
  const waitUntil = async (time: number, what: string) => {
    const ms = time - Date.now();
    if (ms <= 0) return;
    if (ms > 1_000) onWait(time, what);
    // Cleaning up after the end may have to wait as well.
    await sleep(ms, undefined, { ...(signal && !signal.aborted && { signal }) });
  };
  return {
    now: Date.now,
    moment: () => ({ from: Date.now(), to: Date.now() }),
    waitUntil,
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
    step = { from: now(), to };
    try {
      read = { ...(await control.advance(to - now())), at: Date.now() };
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
    pass: (ms) => waitUntil(now() + ms),
    mark: (time) => void marks.add(time),
    settle: () => control.drain(),
    isMoved: true,
  };
}
