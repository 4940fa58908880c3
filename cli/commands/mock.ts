import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { visibleJson, visibleLines } from '../../contract-tests/core/visible-text.ts';
import { type KeptMock, type StartedMock, type StartOptions, startMock } from '../../mock/start.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { dropEmpty } from '../options/deployment-options.ts';
import type { Given } from '../options/flags.ts';
import { readLog, readStartOptions, readStoreOptions } from '../options/mock-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { useMock } from '../options/use-config.ts';
import { trustedOf, writeTrusted } from '../output/certificate-file.ts';
import { createLogWriter, exitDespiteUnread } from '../output/log-lines.ts';
import { quickStart, type ShownMock, settingsGiven } from '../output/quick-start.ts';
import { onInterruption } from '../screen/interruption.ts';
import { recordMock } from '../steer/running-mocks.ts';

/** Late enough that the code of the first calls is compiled and cached too. */
const flushMs = 3000;

export async function mock(all: Given): Promise<number> {
  const given = await useMock(all);
  const format = readLog(given);
  const log = format && createLogWriter(format);
  limitGarbage();
  const ending = Promise.withResolvers<Ending>();
  const store = readStoreOptions(given);
  const options = readStartOptions(given, 4010, {
    onStop: () => ending.resolve('drain'),
    ...(log && { log: (message) => log([{ type: 'error', message }]) }),
  });
  let unwatch: (() => void) | undefined;
  const follow = (mock: StartedMock | KeptMock) => {
    unwatch?.();
    unwatch = log && mock.worlds.watch(log);
  };
  const say = (message: string) =>
    log ? log([{ type: 'reload', message }]) : console.error(`sitepub: ${visibleLines(message)}`);
  const running = given.switched('watch')
    ? await startWatched({ ...options, ...dropEmpty({ profile: given.text('profile') }) }, say, follow)
    : startedOnce(store ? await startMock({ ...options, ...store }) : await startMock(options));
  const started = running.current();
  follow(started);
  const { name, values } = (await Promise.resolve(started.control.health())).profile;
  // Set before the ready line is printed. Ctrl-C closes the mock at once; SIGTERM, which supervisors send, lets it finish its work.
  onInterruption((signal) => ending.resolve(signal === 'SIGINT' ? 'close' : 'drain'));
  const certificateFile = writeTrusted(started.certificate);
  const forget = recordMock(started.controlUrl, trustedOf(started.certificate));
  const shown = asOthersReach(started, options);
  console.log(
    given.switched('json')
      ? readyLine(shown, { profile: name, certificateFile })
      : quickStart(shown, {
          profile: makeProfile(values, { name, source: 'the profile of the mock' }),
          settings: settingsGiven(given),
          certificateFile,
          isLogged: log !== undefined,
        }),
  );
  if (!forget && format === 'text')
    console.error(
      'sitepub: other commands find this mock only with --control-url, because the temporary folder cannot be used',
    );
  // Saved early, so that the next start benefits even if this mock is killed.
  setTimeout(flushCompileCache, flushMs).unref();
  const how = await ending.promise;
  forget?.();
  await running.stop();
  await running.current()[how]();
  unwatch?.();
  exitDespiteUnread();
  return 0;
}

type Ending = 'drain' | 'close';

/** With --watch, the current mock changes. */
interface Running {
  current(): StartedMock | KeptMock;
  stop(): Promise<void>;
}

function startedOnce(mock: StartedMock | KeptMock): Running {
  return { current: () => mock, stop: async () => {} };
}

async function startWatched(
  options: StartOptions,
  say: (message: string) => void,
  onReplaced: (mock: StartedMock) => void,
): Promise<Running> {
  const { world, profile } = options;
  if (![world, profile].some((file) => typeof file === 'string' && existsSync(file)))
    throw new UsageError('--watch has nothing to watch; pass a file with --world or --profile');
  const { startReloadingMock } = await import('./reloading-mock.ts');
  return startReloadingMock(options, { say, onReplaced });
}

/** With --public-url, the URLs in its answers differ from the one it listens on. */
function asOthersReach(mock: StartedMock | KeptMock, { publicUrl }: StartOptions): ShownMock {
  const [main] = mock.worlds.list();
  if (!main || publicUrl === undefined) return mock;
  const listensAt = new URL(mock.baseUrl).origin;
  return { ...mock, baseUrl: main.base_url, controlUrl: main.control_url, listensAt };
}

/** For scripts: the mock answers once this line is printed. */
function readyLine(
  { baseUrl, controlUrl, listensAt, controlToken, tenants }: ShownMock,
  { profile, certificateFile }: { profile: string; certificateFile: string | undefined },
): string {
  const rows = tenants.map(({ id, name, users, apiKey, sites }) => ({
    id,
    name,
    users,
    api_key: apiKey,
    site_ids: sites.map((site) => site.id),
  }));
  return visibleJson({
    base_url: baseUrl,
    control_url: controlUrl,
    ...(listensAt !== undefined && { listens_at: listensAt }),
    ...(controlToken !== undefined && { control_token: controlToken }),
    ...(certificateFile !== undefined && { certificate_file: certificateFile }),
    pid: process.pid,
    profile,
    tenants: rows,
  });
}

/** Collect garbage when the heap has grown by this many bytes since the last collection. */
const mostGarbage = 32_000_000;

/** In 100 ms, bodies of 1 MiB leave about 30 MB of garbage. */
const lookMs = 100;

/** The start is over by then. */
const startedMs = 2_000;

/** Limits garbage: by default V8 would use 200 MB more for objects that live no longer than a request. */
export function limitGarbage(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: object) => void;
  // Shrinks the 16 MB for new objects after startup; the first flag limits its size.
  setTimeout(collect, startedMs, { type: 'major', execution: 'sync', flavor: 'last-resort' }).unref();
  let least = usedBytes();
  setInterval(() => {
    const used = usedBytes();
    least = Math.min(least, used);
    if (used < least + mostGarbage) return;
    collect();
    least = usedBytes();
  }, lookMs).unref();
}

/** Includes memory outside of the heap, such as buffers. */
function usedBytes(): number {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}
