// The parent's side of serve.ts: a server in a separate process, so that its CPU time can be measured.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildMessage, Question, Usage } from './serve.ts';

/** The modules in servers/. */
export type ServerName =
  | 'mock'
  | 'kept-mock'
  | 'command'
  | 'fastify'
  | 'prism'
  | 'receiver'
  | 'dispatcher'
  | 'grown'
  | 'poster';

export interface Child<About> {
  name: ServerName;
  about: About;
  usage(): Promise<Usage>;
  ask(question: string, value?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a server and waits until it is ready. The server reads `argument` with `readArgument`. */
export async function startChild<About>(name: ServerName, argument: unknown = null): Promise<Child<About>> {
  const module = fileURLToPath(new URL(`servers/${name}-server.ts`, import.meta.url));
  const child = fork(module, [JSON.stringify(argument)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // As the command line does; without the cache, compiling TypeScript would count as memory of the server.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
  });
  const channel = openChannel(child, name);
  const ask = (question: string, value?: unknown) => channel.ask({ ask: question, value });
  return {
    name,
    // The module of that name sends it.
    about: (await channel.about) as About,
    ask,
    usage: async () => (await ask('usage')) as Usage,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      // The child then exits by itself, and writes its last output, such as a profile.
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

function openChannel(child: ChildProcess, name: string) {
  const about = Promise.withResolvers<object>();
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  child.on('message', ({ about: info, id = 0, error, answer }: ChildMessage) => {
    if (info) return about.resolve(info);
    const waiting = asked.get(id);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(`the ${name} of the benchmark: ${error}`));
    asked.delete(id);
  });
  child.once('exit', (status, signal) => {
    const error = new Error(`the ${name} of the benchmark ended by itself (${signal ?? `status ${status}`})`);
    for (const { reject } of [about, ...asked.values()]) reject(error);
  });
  let count = 0;
  return {
    about: about.promise,
    ask(question: Omit<Question, 'id'>): Promise<unknown> {
      const answer = Promise.withResolvers<unknown>();
      asked.set(++count, answer);
      child.send({ id: count, ...question }, (error) => {
        if (error) answer.reject(new Error(`the ${name} of the benchmark does not listen: ${error.message}`));
      });
      return answer.promise;
    },
  };
}
