// A server in a process of its own, so that its CPU time can be measured: both sides of the channel.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child {
  /** Where the server listens. */
  origin: string;
  /** Asks what the server offers with `serve`. */
  ask(question: string, value?: unknown): Promise<unknown>;
  /** What the process has spent since its start. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

interface Answer {
  answer?: unknown;
  error?: string;
}

/** Starts a module of servers/, and waits until it serves. It reads `argument` with `readArgument`. */
export async function startChild(name: 'mock' | 'fastify' | 'pushes', argument?: unknown): Promise<Child> {
  const module = fileURLToPath(new URL(`servers/${name}-server.ts`, import.meta.url));
  const child = fork(module, [JSON.stringify(argument ?? null)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the ${name} of the benchmark ended with ${code}`);
  });
  ended.catch(() => {});
  const receive = async () => {
    const [{ answer, error }] = (await Promise.race([once(child, 'message'), ended])) as [Answer];
    if (error !== undefined) throw new Error(`the ${name} of the benchmark: ${error}`);
    return answer;
  };
  const origin = String(await receive());
  const ask = (question: string, value?: unknown) => {
    child.send({ question, value });
    return receive();
  };
  return {
    origin,
    ask,
    cpuMs: async () => Number(await ask('cpuMs')),
    async stop() {
      child.disconnect();
      await ended.catch(() => {});
    },
  };
}

export function readArgument(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}

/** In the child: says that it is ready, and answers one question after the other. */
export function serve(origin: string, answers: Readonly<Record<string, (value: unknown) => unknown>>): void {
  const known: typeof answers = { cpuMs, ...answers };
  const send = (answer: Answer) => void process.send?.(answer);
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ question, value }: { question: string; value: unknown }) => {
    try {
      send({ answer: await known[question]?.(value) });
    } catch (error) {
      send({ error: String(error instanceof Error ? error.stack : error) });
    }
  });
  send({ answer: origin });
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
