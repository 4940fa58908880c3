import { createInterface } from 'node:readline/promises';

/** Whether somebody is there to be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** What is answered on the terminal; undefined where nothing is, or `signal` ends the wait. */
export async function ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // While it asks, the terminal sends no signal.
  prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<undefined>((resolve) => prompt.once('close', () => resolve(undefined)));
  try {
    const answer = prompt.question(question, signal ? { signal } : {});
    return (await Promise.race([answer, closed]))?.trim();
  } catch {
    return undefined;
  } finally {
    prompt.close();
  }
}
