// Runs Prism as a proxy that validates requests and responses against the description, with workarounds for its bugs.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Description } from '../../openapi/description.ts';
import type { Exchange } from '../core/exchange.ts';
import { type Message, startProxy, type TamperingProxy } from './tampering-proxy.ts';

/** `location` starts with "request" or "response". */
interface Violation {
  location: readonly string[];
  message: string;
}

interface Prism {
  origin: string;
  close(): Promise<void>;
}

const command = fileURLToPath(new URL('../../node_modules/.bin/prism', import.meta.url));

/** `upstream`: an origin without a path. */
export async function startPrism(description: Description, upstream: string): Promise<Prism> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-prism-'));
  const file = join(folder, 'description.json');
  writeFileSync(file, JSON.stringify(forPrism(description)));
  const args = [command, 'proxy', file, upstream, '--host', '127.0.0.1', '--port', '0'];
  const prism = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(prism, 'exit');
  const close = async () => {
    prism.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { origin: await listening(prism), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const notShown: Violation = { location: ['request'], message: 'Not shown to Prism' };

/**
 * A proxy in front of Prism that bypasses it for bodies that it breaks: it never answers a malformed JSON body, drops `null`, `false` and
 * `0`, and forwards a JSON string without quotes.
 */
export function startDetour(prism: Prism, upstream: string): Promise<TamperingProxy> {
  const straight = '/straight';
  return startProxy(
    (path) => (path.startsWith(straight) ? upstream + path.slice(straight.length) : prism.origin + path),
    async (message, forward) => {
      if (!isSpoilt(message)) return forward(message);
      const reply = await forward({ ...message, path: straight + message.path });
      return { ...reply, headers: { ...reply.headers, 'sl-violations': JSON.stringify([notShown]) } };
    },
  );
}

/** Objections of Prism to an exchange. */
export function violationsOf({ response }: Exchange): Violation[] {
  const header = response.headers['sl-violations'];
  return typeof header === 'string' ? (JSON.parse(header) as Violation[]) : [];
}

/** Prism forwards an unknown path with only a warning. */
export function wasValidated(exchange: Exchange): boolean {
  const unjudged = [notShown.message, 'Selected route not found'];
  return !violationsOf(exchange).some(({ message }) => unjudged.includes(message));
}

function isSpoilt({ body, headers }: Message): boolean {
  if (body.length === 0 || !headers['content-type']?.startsWith('application/json')) return false;
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value !== 'object' || value === null;
  } catch {
    return true;
  }
}

/** Moves the version into the paths, because Prism ignores the paths of servers unless a request names one with `__server`. */
export function forPrism({ servers: _servers, ...description }: Description): object {
  const paths = Object.entries(description.paths).map(([path, item]) => [`/api/v1${path}`, item]);
  return { ...description, paths: Object.fromEntries(paths) };
}

/** Prism prints its origin when it is ready. */
function listening(prism: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const readChunk = (chunk: Buffer) => {
      output += chunk.toString();
      const [, origin] = /Prism is listening on (http:\/\/[\w.]+:\d+)\s/.exec(output) ?? [];
      if (origin === undefined) return;
      resolve(origin);
      // Reads the rest of the log, so that Prism never blocks on output.
      prism.stdout?.off('data', readChunk).resume();
    };
    prism.stdout?.on('data', readChunk);
    prism.stderr?.on('data', readChunk);
    prism.once('exit', (status) => reject(new Error(`Prism ended with status ${status}: ${output}`)));
  });
}
