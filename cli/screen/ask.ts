import { createInterface } from 'node:readline/promises';

export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Undefined without an answer, or if `signal` is aborted. */
export async function ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // The terminal sends no signal while readline reads from it.
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
