// The parent's side of serve.ts: one server in a process of its own, so that its CPU time is its own too.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildMessage, Question, Usage } from './serve.ts';

/** The modules in servers/. */
export type ServerName =
  | 'mock'
  | 'command'
  | 'fastify'
  | 'openapi-backend'
  | 'prism'
  | 'receiver'
  | 'dispatcher'
  | 'poster';

export interface Child<About> {
  name: ServerName;
  about: About;
  usage(): Promise<Usage>;
  ask(question: string, value?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a server and waits until it is ready. `argument` is what it is told. */
export async function startChild<About>(name: ServerName, argument: unknown = null): Promise<Child<About>> {
  const module = fileURLToPath(new URL(`servers/${name}-server.ts`, import.meta.url));
  const child = fork(module, [JSON.stringify(argument)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // As the command line does it: without the cache, the compiler of TypeScript would count as memory of the server.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
  });
  const words = openChannel(child, name);
  const ask = (question: string, value?: unknown) => words.ask({ ask: question, value });
  return {
    name,
    // The module of that name sends it.
    about: (await words.about) as About,
    ask,
    usage: async () => (await ask('usage')) as Usage,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      // It ends itself then, and writes what it is to write at its end, such as a profile.
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

function openChannel(child: ChildProcess, name: string) {
  const about = Promise.withResolvers<object>();
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  child.on('message', (word: ChildMessage) => {
    if (word.about) return about.resolve(word.about);
    const waiting = asked.get(word.id ?? 0);
    if (word.error === undefined) waiting?.resolve(word.answer);
    else waiting?.reject(new Error(`the ${name} of the benchmark: ${word.error}`));
    asked.delete(word.id ?? 0);
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
      child.send({ id: count, ...question });
      return answer.promise;
    },
  };
}
