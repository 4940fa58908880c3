// Prism as a referee: a proxy that holds every request and response against the description, and says so in a header.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Description } from '../../openapi/resolve.ts';
import type { Exchange } from '../exchange.ts';
import { type Message, startProxy, type TamperingProxy } from './tampering-proxy.ts';

/** One thing that Prism objects to; `location` begins with "request" or "response". */
export interface Violation {
  location: readonly string[];
  message: string;
}

export interface Prism {
  origin: string;
  close(): void;
}

const command = fileURLToPath(new URL('../../node_modules/.bin/prism', import.meta.url));

/** A Prism between its callers and the deployment at `upstream`, an origin without a path. */
export async function startPrism(description: Description, upstream: string): Promise<Prism> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-prism-'));
  const file = join(folder, 'description.json');
  writeFileSync(file, JSON.stringify(forPrism(description)));
  const port = await freePort();
  const args = [command, 'proxy', file, upstream, '--host', '127.0.0.1', '--port', String(port)];
  const prism = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const close = () => {
    prism.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await listening(prism);
  } catch (error) {
    close();
    throw error;
  }
  return { origin: `http://127.0.0.1:${port}`, close };
}

/**
 * A proxy in front of Prism. Known fault of Prism: it never answers a body that is declared as JSON and is none, so such a request
 * goes straight to the deployment.
 */
export function startDetour(prism: Prism, upstream: string): Promise<TamperingProxy> {
  const straight = '/straight';
  return startProxy(
    (path) => (path.startsWith(straight) ? upstream + path.slice(straight.length) : prism.origin + path),
    (message, forward) => forward(isJson(message) ? message : { ...message, path: straight + message.path }),
  );
}

function isJson({ body, headers }: Message): boolean {
  if (body.length === 0 || headers['content-type'] !== 'application/json') return true;
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

/** What Prism objects to in an exchange that went through it. */
export function violationsOf({ response }: Exchange): Violation[] {
  const header = response.headers['sl-violations'];
  return typeof header === 'string' ? (JSON.parse(header) as Violation[]) : [];
}

/**
 * The description as Prism understands it. Known fault of Prism: its proxy matches requests against the path of a server only where
 * the server's whole address is the proxy's own, which is not known before it listens; so the version goes into the paths.
 */
function forPrism({ servers: _servers, ...description }: Description): object {
  const paths = Object.entries(description.paths).map(([path, item]) => [`/api/v1${path}`, item]);
  return { ...description, paths: Object.fromEntries(paths) };
}

/** Prism takes no port 0. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function listening(prism: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Prism is listening')) resolve();
    };
    prism.stdout?.on('data', hear);
    prism.stderr?.on('data', hear);
    prism.once('exit', (status) => reject(new Error(`Prism ended with status ${status}: ${said}`)));
  });
}
