// What `sitepub discover` reads before it calls anything: a description, recordings, or both.
import type { Connection } from '../../contract-tests/core/suite-options.ts';
import { isHttp } from '../../contract-tests/learn/description/read.ts';
import { readConnection } from './connection-options.ts';
import { dropEmpty, readOptionalUrl } from './deployment-options.ts';
import { type Flags, type Given, listFlag, textFlag } from './flags.ts';
import { readRequestTimeout } from './read-duration.ts';
import { UsageError } from './usage-error.ts';

export const sourceFlags: Flags = {
  openapi: textFlag('FILE|URL', 'an OpenAPI description of the deployment, 2.0, 3.0 or 3.1, in JSON or YAML'),
  har: listFlag('FILE', 'a recording of the console in use, as browsers save it (HAR); may be repeated'),
};

export interface SourceOptions {
  /** A path or an address. */
  openapi?: string;
  recordings: readonly string[];
  baseUrl?: string;
  /** How the address of the description is reached. */
  connection?: Connection;
  requestTimeoutMs: number;
  /** Names of the headers that are sent with every call. */
  headers: readonly string[];
}

/** Undefined where there is nothing to read. Throws UsageError. */
export function readSourceOptions(given: Given): SourceOptions | undefined {
  const openapi = readDescriptionPlace(given);
  const recordings = given.list('har');
  if (recordings.some(isHttp)) throw new UsageError('--har takes a file, not an address; save it first');
  if (openapi === undefined && recordings.length === 0) return undefined;
  const baseUrl = readOptionalUrl(given, 'base-url');
  const connection = openapi !== undefined && isHttp(openapi) ? readWay(given, openapi, baseUrl) : undefined;
  return {
    recordings,
    requestTimeoutMs: readRequestTimeout(given),
    headers: given.list('header'),
    ...dropEmpty({ openapi, baseUrl, connection }),
  };
}

/** The files that are read. */
export function filesOf({ openapi, recordings }: SourceOptions): string[] {
  return openapi === undefined || isHttp(openapi) ? [...recordings] : [openapi, ...recordings];
}

/** Keeps what the gateway of the deployment demands from any other host. */
function readWay(given: Given, address: string, baseUrl: string | undefined): Connection | undefined {
  const connection = readConnection(given, address);
  const isOwn = baseUrl === undefined || new URL(baseUrl).origin === new URL(address).origin;
  if (!connection || isOwn) return connection;
  return dropEmpty({ proxy: connection.proxy, ca: connection.ca });
}

function readDescriptionPlace(given: Given): string | undefined {
  const openapi = given.text('openapi');
  if (given.isRepeated('openapi'))
    throw new UsageError(
      '--openapi is given twice; read one description, then the other with the profile of the first as --profile',
    );
  if (openapi === undefined || !isHttp(openapi)) return openapi;
  const url = URL.parse(openapi);
  if (!url) throw new UsageError('--openapi is no address; expected a file, or an http or https URL');
  if (url.username || url.password)
    throw new UsageError(
      '--openapi takes no credentials, which process lists would show; give them with --header',
    );
  return openapi;
}
