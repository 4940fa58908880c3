// Runs the command of `sitepub exec`, and hands on what it is told.
import type { ChildProcess } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import spawn from 'cross-spawn';
import { UsageError } from '../options/usage-error.ts';
import { exitCodeOfSignal, onSignals } from '../screen/interruption.ts';

type Run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>;

/** From now on signals end the command and not this process, which has to clean up after it. One that comes earlier keeps the command from beginning, and the next one ends us. */
export function takeSignals(): Run {
  let child: ChildProcess | undefined;
  let early: NodeJS.Signals | undefined;
  const take = (signal: NodeJS.Signals) => {
    if (early) process.exit(exitCodeOfSignal(signal));
    if (!child) early = signal;
    // A terminal sends Ctrl-C to the command too; it decides what that means, and we stay until it has ended.
    else if (signal !== 'SIGINT') child.kill(signal);
  };
  onSignals(take, ['SIGINT', 'SIGTERM', 'SIGHUP']);
  return async (command, args, env) => {
    // A signal of the last moment is told only in the next turn, and the command would not get it.
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
