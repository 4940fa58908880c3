// A server in a process of its own, so that its CPU time can be measured: both sides of the channel.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Server extends AsyncDisposable {
  /** Where it listens. */
  origin: string;
  /** Asks what it offers with `serve`. */
  ask(question: string, value?: unknown): Promise<unknown>;
  /** What its process has spent since its start. */
  cpuMs(): Promise<number>;
}

/** Starts a module of servers/, and waits until it serves. It reads `argument` with `readArgument`. */
export async function startServer(
  name: 'mock' | 'fastify' | 'pushes',
  argument: unknown = null,
): Promise<Server> {
  const module = fileURLToPath(new URL(`servers/${name}-server.ts`, import.meta.url));
  const child = fork(module, [JSON.stringify(argument)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const receive = async (): Promise<unknown> => {
    const failed = ended.then(([code]) => Promise.reject(new Error(`the ${name} server ended with ${code}`)));
    const [answer] = await Promise.race([once(child, 'message'), failed]);
    return answer;
  };
  const ask = (question: string, value?: unknown) => {
    child.send({ question, value });
    return receive();
  };
  return {
    origin: String(await receive()),
    ask,
    cpuMs: async () => Number(await ask('cpuMs')),
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await ended;
    },
  };
}

/** The CPU time of a server while something is done `count` times, in microseconds for each time. */
export async function cpuOf(server: Server, count: number, work: () => Promise<unknown>): Promise<number> {
  const before = await server.cpuMs();
  await work();
  return (((await server.cpuMs()) - before) * 1000) / count;
}

export function readArgument(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}

/** In the child: says that it is ready, and answers one question after the other. An error ends it. */
export function serve(origin: string, answers: Readonly<Record<string, (value: unknown) => unknown>>): void {
  const known: typeof answers = { cpuMs, ...answers };
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ question, value }: { question: string; value: unknown }) =>
    process.send?.((await known[question]?.(value)) ?? null),
  );
  process.send?.(origin);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
