// Prism, the best-known mock server, started by its command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { forPrism } from '../../../contract-tests/self/prism-referee.ts';
import { freePort } from '../../../mock/testing/postgres-server.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { basePath } from '../calls.ts';
import type { Server } from '../server.ts';

const command = fileURLToPath(new URL('../../../node_modules/.bin/prism', import.meta.url));

/** Without its log. */
export async function startPrism(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-bench-'));
  const file = join(folder, 'description.json');
  writeFileSync(file, JSON.stringify(forPrism(resolve(loadProfile('default')))));
  const port = await freePort();
  const args = [command, 'mock', file, '--port', String(port), '--verboseLevel', 'error'];
  const prism = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(prism, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const answer = () => fetch(`${origin}${basePath}/tenant/sites`).catch(() => undefined);
  while (!(await (await answer())?.text())) {
    if (prism.exitCode !== null) throw new Error(`Prism ended with ${prism.exitCode}`);
    await sleep(5);
  }
  return {
    origin,
    // It has no state to renew.
    ask: async () => undefined,
    cpuMs: async () => cpuMsOf(prism.pid ?? 0),
    async [Symbol.asyncDispose]() {
      prism.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** From /proc, since the start of the process. */
function cpuMsOf(pid: number): number {
  // After the name in brackets, user and system time are fields 14 and 15, in hundredths of a second (proc_pid_stat(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
