import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endingMs, onAbort } from '../../contract-tests/core/ending.ts';
import { interruptMessage, type RunAnswer, type RunMessage, type RunOrder } from './run-order.ts';

interface Running {
  env: NodeJS.ProcessEnv;
  /** Ends the run early, with clean-up and report. */
  signal: AbortSignal;
  onMessage(message: RunMessage): void;
}

const script = fileURLToPath(new URL(`./run-child${extname(import.meta.url)}`, import.meta.url));

/** How much longer than an interrupted run a process may take that has to be ended. */
const graceMs = 5_000;

/** Makes a run in a process of its own. Throws an Error where that ends without an answer. */
export async function runInChild(order: RunOrder, { env, signal, onMessage }: Running): Promise<RunAnswer> {
  const child = fork(script, {
    env: withCompiledCode(env),
    execArgv: [],
    // Standard output is for the protocol alone.
    stdio: ['ignore', 2, 2, 'ipc'],
    serialization: 'advanced',
  });
  let timer: NodeJS.Timeout | undefined;
  const stopListening = onAbort(signal, () => {
    tell(child, interruptMessage);
    timer = setTimeout(() => child.kill('SIGKILL'), endingMs.process + graceMs);
  });
  try {
    return await answerOf(child, order, onMessage);
  } finally {
    stopListening();
    clearTimeout(timer);
  }
}

function answerOf(child: ChildProcess, order: RunOrder, onMessage: Running['onMessage']): Promise<RunAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RunAnswer>();
  let answer: RunAnswer | undefined;
  child.on('message', (message) => {
    const told = message as RunMessage;
    if ('answer' in told) answer = told.answer;
    else onMessage(told);
  });
  child.on('error', reject);
  child.on('exit', (code, cause) => {
    if (answer) resolve(answer);
    else reject(new Error(`the process of the run ended without a report (${cause ?? `exit code ${code}`})`));
  });
  tell(child, order);
  return promise;
}

/** The end of the process is told by its exit. */
function tell(child: ChildProcess, message: RunOrder | string): void {
  if (child.connected) child.send(message, () => {});
}

/** Otherwise it would strip the types of the suite anew. */
function withCompiledCode(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? env : { NODE_COMPILE_CACHE: dirname(folder), ...env };
}
