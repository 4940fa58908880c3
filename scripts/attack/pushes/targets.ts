// What takes pushes, each in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const hook = new URL('../usage-hook.mjs', import.meta.url).href;

export interface Target {
  id: string;
  /** The program, and what it is called with. */
  command: readonly string[];
  /** Where pushes go. */
  path: string;
}

export const targets: readonly Target[] = [
  {
    id: 'sitepub receiver',
    command: [pathOf('../../sitepub.mjs'), 'receiver', '--listen', '127.0.0.1:0'],
    path: '/run/1',
  },
  { id: "the suite's receiver", command: [pathOf('suite-receiver.ts')], path: '/run/1' },
  {
    id: "the mock's inbox",
    command: [pathOf('../../sitepub.mjs'), 'mock', '--port', '0'],
    path: '/_mock/inbox/attacked',
  },
];

export interface Started {
  port: number;
  path: string;
  /** Ends it, and says what it promises and did not do. */
  stop(): Promise<{ broken: string[]; megabytes: number | undefined }>;
}

const mostMegabytes = 400;
/** The mock lets calls end for up to 5 s. */
const stopMs = 10_000;

export async function startTarget({ command, path }: Target): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-attack-'));
  const usage = join(folder, 'usage');
  const child = spawn(process.execPath, ['--import', hook, ...command], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: folder,
      ATTACK_USAGE_FILE: usage,
      SITEPUB_WEBHOOK_SECRET: 'a-secret',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const orders = new Set<string>();
  const port = Promise.withResolvers<number>();
  let first = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      const printed = data.toString('latin1');
      first = (first + printed).slice(0, 2_000);
      const [, found] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(first) ?? [];
      if (found !== undefined) port.resolve(Number(found));
      for (const order of printed.match(commands) ?? []) orders.add(order);
    });
  void ended.then(([status]) => port.reject(new Error(`it has ended with ${status}`)), port.reject);
  const stop = async () => {
    const hadEnded = child.exitCode !== null || child.signalCode !== null;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await ended;
    clearTimeout(timer);
    const megabytes = existsSync(usage) ? Number(readFileSync(usage, 'utf8')) / 1_024 : undefined;
    rmSync(folder, { recursive: true, force: true });
    const problems: readonly [boolean, string][] = [
      [hadEnded, `has ended: ${child.exitCode ?? child.signalCode}`],
      [child.signalCode === 'SIGKILL', `was not ended by SIGTERM within ${stopMs / 1_000} s`],
      [megabytes !== undefined && megabytes > mostMegabytes, `took ${megabytes?.toFixed(0)} MB`],
      [orders.size > 0, `printed orders: ${JSON.stringify([...orders])}`],
    ];
    return { megabytes, broken: problems.flatMap(([isBroken, what]) => (isBroken ? [what] : [])) };
  };
  return { path, stop, port: await port.promise };
}

/** What a terminal or a CI log would obey, in the bytes of UTF-8. */
const commands =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]|##\[|\n *::\w/g;
