// What a command promises of every run, and which of it a run did not hold.
import { readFileSync } from 'node:fs';

export const commands = ['test', 'discover', 'cleanup'] as const;
export type Command = (typeof commands)[number];

/** What every run is held to. */
export const bounds = { seconds: 120, megabytes: 400, secondsAfterSignal: 5 };

const atOnceSeconds = 0.3;

/** What became of a run. */
export interface Outcome {
  deployment: string;
  command: Command;
  isInterrupted: boolean;
  seconds: number;
  /** From the signal on. */
  secondsAfterSignal: number | undefined;
  /** Undefined where the process was killed. */
  megabytes: number | undefined;
  status: number | null;
  /** What it promised and did not do; empty where it held. */
  broken: string[];
}

export function brokenBy(
  {
    command,
    status,
    seconds,
    secondsAfterSignal,
    megabytes,
    printed,
  }: Omit<Outcome, 'broken'> & { printed: string },
  report: string,
): string[] {
  // A signal to a process that is about to exit by itself kills it.
  const hadEnded = status === null && megabytes !== undefined;
  // One that ends within a moment of the signal was over: an interrupted run cleans up and writes for longer.
  const wasOver = (secondsAfterSignal ?? 0) < atOnceSeconds;
  const statuses = [...(wasOver ? [0, 1, 2, 3] : []), ...(secondsAfterSignal === undefined ? [] : [130])];
  const problems: readonly [boolean, string][] = [
    [!hadEnded && !statuses.includes(status ?? -1), `ended with ${status}: ${lastLines(printed)}`],
    [seconds > bounds.seconds, `took ${seconds.toFixed(0)} s`],
    [
      (secondsAfterSignal ?? 0) > bounds.secondsAfterSignal,
      `took ${secondsAfterSignal?.toFixed(1)} s after SIGTERM`,
    ],
    [megabytes !== undefined && megabytes > bounds.megabytes, `took ${megabytes?.toFixed(0)} MB`],
    [command === 'test' && !isReport(report), 'wrote no report'],
    [/unsettled top-level await/.test(printed), 'was left waiting for what can not come'],
  ];
  return problems.flatMap(([isBroken, what]) => (isBroken ? [what] : []));
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' | ').slice(0, 300);
}

function isReport(file: string): boolean {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).schema !== undefined;
  } catch {
    return false;
  }
}
