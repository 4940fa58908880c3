import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { canBeDeleted, type Fate, type Resource } from '../../contract-tests/deployment/created-resources.ts';
import { cacheFolder, ownFolder } from '../../contract-tests/deployment/own-folder.ts';
import { count } from '../../contract-tests/reports/group-by-verdict.ts';
import {
  cleanUpJournal,
  JournalError,
  type ReadJournal,
  readJournal,
} from '../../contract-tests/run/clean-up-journal.ts';
import { statedValues } from '../../openapi/profile.ts';
import { readConnection } from '../options/connection-options.ts';
import { dropEmpty, readCredentials, readOtherAccount, readProfile } from '../options/deployment-options.ts';
import type { Given } from '../options/flags.ts';
import { readRequestTimeout } from '../options/read-values.ts';
import { UsageError } from '../options/usage-error.ts';
import { useDeploymentAt } from '../options/use-config.ts';
import { reportWaits } from '../output/progress.ts';
import { commandInterruptibly } from '../screen/interruption.ts';
import { isRunning } from '../steer/running-mocks.ts';

export async function cleanup(given: Given): Promise<number> {
  return commandInterruptibly((signal, allowSlowCleanup) => {
    allowSlowCleanup();
    return cleanUpInterruptibly(given, signal);
  });
}

async function cleanUpInterruptibly(given: Given, signal: AbortSignal): Promise<number> {
  const journal = read(given);
  const options = await optionsOf(journal, given);
  const { abort, gone, remaining } = await cleanUpJournal(journal, options, {
    onWait: reportWaits(),
    signal,
  });
  for (const { resource, fate } of gone) console.log(visible(fateLines[fate](describe(resource))));
  for (const { resource, why } of remaining)
    console.log(visible(`left     ${describe(resource)}${why === undefined ? '' : ` (${why})`}`));
  if (abort) {
    console.error(`sitepub: ${visible(abort.reason)}`);
    return abort.kind === 'credentials' || abort.kind === 'usage' ? 2 : 3;
  }
  const stuck = remaining.filter(({ resource }) => canBeDeleted(resource)).length;
  if (stuck > 0)
    console.error(
      `sitepub: ${count(stuck, 'resource')} could not be deleted; the journal ${journal.file} still lists them`,
    );
  return stuck > 0 ? 1 : 0;
}

function read(given: Given): ReadJournal {
  const [file] = given.words;
  try {
    return readJournal(file ?? findJournal());
  } catch (error) {
    if (error instanceof JournalError) throw new UsageError(error.message);
    throw error;
  }
}

/** Looks only in the user's own folder, because another user's journal could send credentials elsewhere. Throws UsageError. */
function findJournal(): string {
  const path = cacheFolder('');
  if (path === undefined)
    throw new UsageError('the folder for journals cannot be used; pass the path of a journal');
  const found = readdirSync(path).flatMap((name) => {
    const [, startedAt, pid] = /^(?:run|discover)-(\d+)-(\d+)\.jsonl$/.exec(name) ?? [];
    return pid === undefined || isRunning(Number(pid)) ? [] : [{ name, startedAt: Number(startedAt) }];
  });
  const [newest] = found.sort((one, other) => other.startedAt - one.startedAt);
  if (!newest)
    throw new UsageError(`there is no journal of an ended run in ${path}; pass the path of a journal`);
  const file = join(path, newest.name);
  console.error(`sitepub: cleaning up after the latest run, with its journal ${file}`);
  return file;
}

async function optionsOf({ file, head }: ReadJournal, all: Given): Promise<SuiteOptions> {
  const given = await useDeploymentAt(all, head.base_url);
  const profile = readProfile(given);
  const other = readOtherAccount(given);
  return {
    baseUrl: head.base_url,
    profile: profile
      ? { name: profile.name, stated: { ...head.profile.stated, ...statedValues(profile) } }
      : head.profile,
    ...readCredentials(given),
    ...dropEmpty({ other, connection: readConnection(given, head.base_url) }),
    tier: 'safe',
    only: [],
    skip: [],
    maxWaitMs: 61_000,
    requestTimeoutMs: readRequestTimeout(given),
    receiver: {},
    journal: file,
    folder: ownFolder().path,
  };
}

const fateLines: Readonly<Record<Fate, (resource: string) => string>> = {
  deleted: (resource) => `deleted  ${resource}`,
  'deleted-with-site': (resource) => `gone     ${resource} (deleted with its site)`,
  'not-there': (resource) => `gone     ${resource} (not found)`,
};

function describe({ what, id, site, target }: Resource): string {
  const where = site === undefined ? '' : ` on site ${String(site)}`;
  return `${what} ${id === undefined ? '(unknown identifier)' : String(id)}${where}: ${target}`;
}
