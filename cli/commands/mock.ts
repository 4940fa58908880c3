import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { visibleJson, visibleLines } from '../../contract-tests/core/visible-text.ts';
import { startMock, type KeptMock, type StartOptions, type StartedMock } from '../../mock/start.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { dropEmpty } from '../options/deployment-options.ts';
import type { Given } from '../options/flags.ts';
import { readKeeping, readLog, readStartOptions } from '../options/mock-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { useMock } from '../options/use-config.ts';
import { trustedOf, writeTrusted } from '../output/certificate-file.ts';
import { createTeller, endUnread } from '../output/note-lines.ts';
import { quickStart, settingsGiven, type ShownMock } from '../output/quick-start.ts';
import { onInterruption } from '../screen/interruption.ts';
import { recordMock } from '../steer/running-mocks.ts';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So late that the first calls are compiled, too: what is kept is written once, and that takes a while. */
const flushMs = 3000;

/** `sitepub mock`: runs the mock until it is interrupted. */
export async function mock(all: Given): Promise<number> {
  const given = await useMock(all);
  const format = readLog(given);
  const tell = format && createTeller(format);
  boundGarbage();
  const ending = Promise.withResolvers<Ending>();
  const keeping = readKeeping(given);
  const options = readStartOptions(given, 4010, {
    onStop: () => ending.resolve('drain'),
    ...(tell && { log: (message) => tell([{ type: 'error', message }]) }),
  });
  let unwatch: (() => void) | undefined;
  /** Prints what happens in the current mock. */
  const follow = (mock: StartedMock | KeptMock) => {
    unwatch?.();
    unwatch = tell && mock.worlds.watch(tell);
  };
  const say = (message: string) =>
    tell ? tell([{ type: 'reload', message }]) : console.error(`sitepub: ${visibleLines(message)}`);
  const running = given.switched('watch')
    ? await startWatched({ ...options, ...dropEmpty({ profile: given.text('profile') }) }, say, follow)
    : startedOnce(keeping ? await startMock({ ...options, ...keeping }) : await startMock(options));
  const started = running.current();
  follow(started);
  const { name, values } = (await Promise.resolve(started.control.health())).profile;
  // A caller may interrupt the mock as soon as it prints that it is ready.
  // Ctrl-C ends it at once; SIGTERM, which supervisors send, lets it finish its work.
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
          isLogged: tell !== undefined,
        }),
  );
  if (!forget && format === 'text')
    console.error(
      'sitepub: other commands find this mock only with --control-url, because the temporary folder cannot be used',
    );
  // For the next start, even where this mock is killed.
  setTimeout(flushCompileCache, flushMs).unref();
  const how = await ending.promise;
  forget?.();
  await running.stop();
  await running.current()[how]();
  unwatch?.();
  endUnread();
  return 0;
}

type Ending = 'drain' | 'close';

/** A mock, or with --watch those that follow one another. */
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
    throw new UsageError('--watch has nothing to watch; name a file with --world or --profile');
  const { startReloadingMock } = await import('./reloading-mock.ts');
  return startReloadingMock(options, { say, onReplaced });
}

/** With the addresses that it answers by its control API. */
function asOthersReach(mock: StartedMock | KeptMock, { publicUrl }: StartOptions): ShownMock {
  const [main] = mock.worlds.list();
  if (!main || publicUrl === undefined) return mock;
  const listensAt = new URL(mock.baseUrl).origin;
  return { ...mock, baseUrl: main.base_url, controlUrl: main.control_url, listensAt };
}

/** One line, for scripts: once it is printed, the mock answers. */
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

/** So much more than after the last collection starts the next one, in bytes. */
const mostGarbage = 32_000_000;

/** How often it is looked, in milliseconds: in this time, 1 MiB bodies make some 30 MB. */
const lookMs = 100;

/** So late that a start is over, in milliseconds. */
const startedMs = 2_000;

/** Keeps the garbage of this process small from now on. By default the engine would use 200 MB more for objects that live no longer than a request. */
export function boundGarbage(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: object) => void;
  // A start makes the room for new objects 16 MB large. This makes it small, and the first flag keeps it so.
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

/** Of the heap and of what it holds outside of it, such as buffers. */
function usedBytes(): number {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}
