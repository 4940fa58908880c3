// How much memory a command takes, beside what it keeps: by itself Node collects garbage only after hundreds of megabytes.
import { setFlagsFromString } from 'node:v8';

/** Threads that are started from now on collect garbage after 8 MB of what is new and a third more in all, instead of 64 MB and several times as much. */
export function keepThreadsSmall(): void {
  setFlagsFromString('--max-semi-space-size=8');
  setFlagsFromString('--heap-growing-percent=30');
}

/** The process prefers little memory to speed from now on: 470 MB became 270, and 40 s became 45, where a deployment sends large answers only. */
export function keepProcessSmall(): void {
  setFlagsFromString('--optimize-for-size');
}
