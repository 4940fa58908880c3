import type { Connection } from '../../contract-tests/core/suite-options.ts';
import type { DiscoverOptions } from '../../contract-tests/discover/options.ts';
import { isHttp } from '../../contract-tests/learn/description/read.ts';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { readConnection } from './connection-options.ts';
import { callFlags } from './deployment-flags.ts';
import { dropEmpty, readOptionalBaseUrl, readSiteId } from './deployment-options.ts';
import type { Given } from './flags.ts';
import { readDuration, readRequestTimeout } from './read-values.ts';
import { readTarget } from './test-options.ts';
import { UsageError } from './usage-error.ts';

/** Throws UsageError for a flag that contradicts --no-calls. Variables are allowed, because they may be set for other commands. */
export function refuseCallFlags({ cliFlags }: Given): void {
  const flag = Object.keys(callFlags).find((name) => cliFlags.includes(name));
  if (flag !== undefined)
    throw new UsageError(`--no-calls and --${flag} cannot be used together; remove one`);
}

/** The profile may be empty, because `init` writes such a file. Throws ProfileError. */
export function readKnown(given: Given): Readonly<Record<string, unknown>> {
  const named = given.text('profile');
  return named === undefined ? {} : statedValues(loadProfile(named));
}

export type ProbeOptions = Omit<DiscoverOptions, 'mayCreate' | 'signal' | 'given'> & { journal: string };

export function readProbeOptions(given: Given): ProbeOptions {
  return {
    ...readTarget(given, 'discover'),
    ...dropEmpty({ foreignSiteId: readSiteId(given, 'OTHER_') }),
    maxWaitMs: readDuration(given, 'max-wait', 15_000),
  };
}

export interface SourceOptions {
  /** A path or a URL. */
  openapi?: string;
  recordings: readonly string[];
  baseUrl?: string;
  /** How to reach the URL of the description. */
  connection?: Connection;
  requestTimeoutMs: number;
  headers: readonly string[];
}

/** Undefined if there is no source. Throws UsageError. */
export function readSourceOptions(given: Given): SourceOptions | undefined {
  const openapi = readDescriptionPlace(given);
  const recordings = given.list('har');
  if (recordings.some(isHttp))
    throw new UsageError('--har takes a file, not a URL; save the recording first');
  if (openapi === undefined && recordings.length === 0) return undefined;
  const baseUrl = readOptionalBaseUrl(given);
  const connection = openapi !== undefined && isHttp(openapi) ? readWay(given, openapi, baseUrl) : undefined;
  return {
    recordings,
    requestTimeoutMs: readRequestTimeout(given),
    headers: given.list('header'),
    ...dropEmpty({ openapi, baseUrl, connection }),
  };
}

export function filesOf({ openapi, recordings }: SourceOptions): string[] {
  return openapi === undefined || isHttp(openapi) ? [...recordings] : [openapi, ...recordings];
}

/** Sends credentials for the gateway only to the host of the deployment. */
function readWay(given: Given, address: string, baseUrl: string | undefined): Connection | undefined {
  const connection = readConnection(given, address);
  const isOwn = baseUrl === undefined || new URL(baseUrl).origin === new URL(address).origin;
  if (!connection || isOwn) return connection;
  return dropEmpty({ proxy: connection.proxy, ca: connection.ca });
}

function readDescriptionPlace(given: Given): string | undefined {
  const openapi = given.text('openapi');
  if ((given.texts.openapi?.length ?? 0) > 1)
    throw new UsageError(
      '--openapi is given twice; read one description, then the other with the first result as --profile',
    );
  if (openapi === undefined || !isHttp(openapi)) return openapi;
  const url = URL.parse(openapi);
  if (!url) throw new UsageError('--openapi is not a valid URL; expected a file, or an http or https URL');
  if (url.username || url.password)
    throw new UsageError(
      '--openapi must not contain credentials, because process lists show flags; use --header',
    );
  return openapi;
}
