// A server in its own process, so that its CPU time can be measured: both sides of the channel.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Server extends AsyncDisposable {
  origin: string;
  /** Calls an answer that the child gave to `serve`. */
  ask(question: string, value?: unknown): Promise<unknown>;
  /** Since the start of its process. */
  cpuMs(): Promise<number>;
}

/** Starts servers/NAME-server.ts, which reads `argument` with `readArgument`. */
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

/** CPU time in microseconds for each of `count` repetitions. */
export async function cpuOf(server: Server, count: number, work: () => Promise<unknown>): Promise<number> {
  const before = await server.cpuMs();
  await work();
  return (((await server.cpuMs()) - before) * 1000) / count;
}

export function readArgument(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}

/** In the child: reports that it is ready, and answers questions one by one. An error ends it. */
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
