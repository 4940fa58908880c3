import type { ChildProcess } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import spawn from 'cross-spawn';
import { UsageError } from '../options/usage-error.ts';
import { exitCodeOfSignal, onSignals } from '../screen/interruption.ts';

type Run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>;

/** From now on, signals end the command, not this process, which has to clean up. A signal before the command starts prevents it, and the next one ends this process. */
export function forwardSignals(): Run {
  let child: ChildProcess | undefined;
  let early: NodeJS.Signals | undefined;
  const take = (signal: NodeJS.Signals) => {
    if (early) process.exit(exitCodeOfSignal(signal));
    if (!child) early = signal;
    // The terminal sends Ctrl-C to the command too, and the command decides what it does.
    else if (signal !== 'SIGINT') child.kill(signal);
  };
  onSignals(take, ['SIGINT', 'SIGTERM', 'SIGHUP']);
  return async (command, args, env) => {
    // Node reports a signal only in the next turn.
    await nextTurn();
    if (early) return exitCodeOfSignal(early);
    child = spawn(command, args, { stdio: 'inherit', env });
    return endOf(child, command);
  };
}

function endOf(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new UsageError(`can't run "${command}": ${error.message}`)));
    child.on('exit', (code, signal) => resolve(code ?? exitCodeOfSignal(signal ?? 'SIGTERM')));
  });
}
