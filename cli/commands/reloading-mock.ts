// A mock that reloads its world file and its profile when they change.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readHostNames } from '../../mock/server/listen.ts';
import { type StartedMock, type StartOptions, startMock } from '../../mock/start.ts';
import { loadProfile } from '../../openapi/profile.ts';

interface Listener {
  say(message: string): void;
  /** Another mock now has the same addresses. */
  onReplaced(mock: StartedMock): void;
}

interface ReloadingMock {
  current(): StartedMock;
  /** Waits for a current reload, and starts no other one. */
  stop(): Promise<void>;
}

export async function startReloadingMock(options: StartOptions, listener: Listener): Promise<ReloadingMock> {
  // Replaced mocks have the same addresses, token and certificate.
  const https = options.https === true ? await newCertificate(options) : options.https;
  let mock = await startMock({ ...options, ...(https && { https }) });
  const same: StartOptions = { ...options, ...addressesOf(mock, options), ...(https && { https }) };
  let last = Promise.resolve();
  const follow = (file: unknown, what: string, reload: (path: string) => Promise<void>) => {
    if (typeof file !== 'string' || !existsSync(file)) return () => {};
    const attempt = async () => {
      try {
        await reload(file);
        listener.say(`${what} ${file} was reloaded`);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        listener.say(`${reason}\n${what} ${file} was not reloaded`);
      }
    };
    return watchForChanges(file, () => {
      last = last.then(attempt);
    });
  };
  const unwatch = [
    follow(options.world, 'the world of', (file) => mock.reload(file)),
    follow(options.profile, 'the profile', async (file) => {
      loadProfile(file);
      mock = await replace(mock, same);
      listener.onReplaced(mock);
    }),
  ];
  return {
    current: () => mock,
    async stop() {
      for (const end of unwatch) end();
      await last;
    },
  };
}

async function newCertificate({ host = '127.0.0.1', ...named }: StartOptions) {
  const { makeCertificate, serverNames } = await import('../../mock/tls/certificate.ts');
  return makeCertificate(serverNames(host, readHostNames(named)));
}

function addressesOf({ baseUrl, controlUrl, controlToken }: StartedMock, { controlPort }: StartOptions) {
  return {
    port: portOf(baseUrl),
    ...(controlPort !== undefined && { controlPort: portOf(controlUrl) }),
    ...(controlToken !== undefined && { controlToken }),
  };
}

/** URL leaves out the default port. */
function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/** Starts a mock with another profile, and the same world and faults. */
async function replace(mock: StartedMock, options: StartOptions): Promise<StartedMock> {
  const [world, { on }] = [await mock.control.world(), await mock.control.faults()];
  await mock.close();
  const next = await startMock(options);
  await next.control.restore(world);
  await next.control.setFaults(on);
  return next;
}

const pollMs = 150;

/** Calls `onChange` when the text of a file changes, until the result is called. Polls the path, because editors replace files, and waits until the file is stable, because they write in pieces. */
export function watchForChanges(path: string, onChange: () => void): () => void {
  let [seen, read] = [stampOf(path), stampOf(path)];
  let known = readText(path);
  const look = () => {
    const before = seen;
    seen = stampOf(path);
    if (seen !== before || seen === read) return;
    read = seen;
    const text = readText(path);
    if (text === known) return;
    known = text;
    onChange();
  };
  const timer = setInterval(look, pollMs);
  return () => clearInterval(timer);
}

/** Differs after each change. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

function readText(path: string): string | undefined {
  try {
    // Reading a pipe would block.
    return statSync(path).isFile() ? readFileSync(path, 'latin1') : undefined;
  } catch {
    return undefined;
  }
}
