// Prism's own command `mock`, silent, in this process.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../listen.ts';
import { prismCommand, writeForPrism } from '../prism-command.ts';
import { serve } from '../serve.ts';

const port = await freePort();
const { file, remove } = writeForPrism();
const options = ['--port', port, '--multiprocess', 'false', '--errors', 'false', '--verboseLevel', 'silent'];
process.argv = [process.execPath, prismCommand, 'mock', file, ...options];
await import(prismCommand);
// With --verboseLevel silent it does not report when it is ready.
while (!(await isListening(Number(port)))) await sleep(20);
// Prism may not have begun to watch the file yet, and ends where it is gone by then.
process.on('exit', remove);
serve({ origin: `http://127.0.0.1:${port}` });

async function freePort(): Promise<string> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  server.close();
  await once(server, 'close');
  return port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
