// Prism as a referee: a proxy that validates every request and response against the description, and reports in a header.
// Its known faults are worked around here, and nowhere else.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Description } from '../../openapi/description.ts';
import type { Exchange } from '../core/exchange.ts';
import { type Message, startProxy, type TamperingProxy } from './tampering-proxy.ts';

/** An objection of Prism; `location` begins with "request" or "response". */
interface Violation {
  location: readonly string[];
  message: string;
}

interface Prism {
  origin: string;
  /** Settles when its process has ended. */
  close(): Promise<void>;
}

const command = fileURLToPath(new URL('../../node_modules/.bin/prism', import.meta.url));

/** A Prism between its callers and the deployment at `upstream`, an origin without a path. */
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
 * A proxy in front of Prism, which passes by what Prism spoils. Known faults of Prism: it never answers a body that is declared as
 * JSON and is not; it forwards `null`, `false` and `0` as no body at all, and a JSON string without its quotes.
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

/** The objections of Prism to an exchange that went through the detour. */
export function violationsOf({ response }: Exchange): Violation[] {
  const header = response.headers['sl-violations'];
  return typeof header === 'string' ? (JSON.parse(header) as Violation[]) : [];
}

/** Whether Prism validated the exchange. It forwards an unknown path with only a warning. */
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

/**
 * The description as Prism understands it. Known fault of Prism: it matches paths without those of the servers, which it only looks at
 * where a request names one in its query (`__server`); so the version goes into the paths.
 */
export function forPrism({ servers: _servers, ...description }: Description): object {
  const paths = Object.entries(description.paths).map(([path, item]) => [`/api/v1${path}`, item]);
  return { ...description, paths: Object.fromEntries(paths) };
}

/** The origin that Prism prints when it is ready. */
function listening(prism: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const readChunk = (chunk: Buffer) => {
      output += chunk.toString();
      const [, origin] = /Prism is listening on (http:\/\/[\w.]+:\d+)\s/.exec(output) ?? [];
      if (origin === undefined) return;
      resolve(origin);
      // Its log is still read, so that it never waits for a reader, but not stored.
      prism.stdout?.off('data', readChunk).resume();
    };
    prism.stdout?.on('data', readChunk);
    prism.stderr?.on('data', readChunk);
    prism.once('exit', (status) => reject(new Error(`Prism ended with status ${status}: ${output}`)));
  });
}
