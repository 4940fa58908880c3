// The flags of `sitepub learn`, and what they mean.
import type { Connection } from '../../contract-tests/core/suite-options.ts';
import { isHttp } from '../../contract-tests/learn/openapi/description-source.ts';
import { connectionFlags, connectionHelp, readConnection } from './connection-options.ts';
import { dropEmpty, readOptionalUrl } from './deployment-options.ts';
import { confirmFlag, type Flags, type Given, listFlag, textFlag } from './flags.ts';
import { readRequestTimeout } from './read-duration.ts';
import { requestTimeoutFlag } from './shared-flags.ts';
import { UsageError } from './usage-error.ts';

/** What both learn and discover learn from. */
export const sourceFlags: Flags = {
  openapi: textFlag('FILE|URL', 'an OpenAPI description of the deployment, 2.0, 3.0 or 3.1, in JSON or YAML'),
  har: listFlag('FILE', 'a recording of the console in use, as browsers save it (HAR); may be repeated'),
};

export const learnFlags: Flags = {
  ...sourceFlags,
  'base-url': textFlag('URL', 'the deployment, an address that ends in /api/v1: what comes before the paths'),
  profile: textFlag('P', 'what is known already; it is kept'),
  out: textFlag('FILE', 'where the profile is written (default: standard output)'),
  force: confirmFlag('let --out replace an existing file'),
  'request-timeout': requestTimeoutFlag,
  ...connectionFlags,
};

export const learnNotes = `At least one of --openapi and --har is needed. Of the deployment, only the address of the description is called.
${connectionHelp}
Exit codes: 0 a profile was written, 2 usage, profile, description or recording, 3 the address can't be reached, or nothing could be learnt,
4 the command itself failed or --out could no longer be written, 130 it was interrupted.`;

/** Something that shows how operations are called. */
export interface Source {
  kind: 'openapi' | 'har';
  /** A path; of a description also an address. */
  source: string;
}

export interface LearnOptions {
  sources: readonly Source[];
  baseUrl?: string;
  basePath: string | undefined;
  connection?: Connection;
  requestTimeoutMs: number;
  /** Names of the headers that are sent with every call. */
  headers: readonly string[];
}

/** Throws UsageError. */
export function readLearnOptions(given: Given): LearnOptions {
  const sources = readSources(given);
  if (sources.length === 0)
    throw new UsageError(
      'there is nothing to learn from; give a description with --openapi, or a recording with --har',
    );
  const baseUrl = readOptionalUrl(given, 'base-url');
  const address = addressIn(sources);
  const connection = address === undefined ? undefined : readConnection(given, address);
  return {
    sources,
    basePath: baseUrl === undefined ? undefined : new URL(baseUrl).pathname.replace(/\/$/, ''),
    requestTimeoutMs: readRequestTimeout(given),
    headers: given.list('header'),
    ...dropEmpty({ baseUrl, connection }),
  };
}

/** What a command learns from that calls the deployment anyway; undefined where no source is given. Throws UsageError. */
export function readSourcesFor(
  given: Given,
  { baseUrl, connection }: { baseUrl: string; connection?: Connection },
): LearnOptions | undefined {
  const sources = readSources(given);
  if (sources.length === 0) return undefined;
  const address = addressIn(sources);
  // What a gateway demands is told to nobody else.
  const isOwn = address !== undefined && new URL(address).origin === new URL(baseUrl).origin;
  const own = isOwn ? connection : undefined;
  const basePath = new URL(baseUrl).pathname;
  const requestTimeoutMs = readRequestTimeout(given);
  const headers = given.list('header');
  return { sources, baseUrl, basePath, requestTimeoutMs, headers, ...dropEmpty({ connection: own }) };
}

function addressIn(sources: readonly Source[]): string | undefined {
  return sources.find(({ kind, source }) => kind === 'openapi' && isHttp(source))?.source;
}

/** The description and the recordings that are given. Throws UsageError. */
function readSources(given: Given): Source[] {
  const openapi = given.text('openapi');
  if (given.isRepeated('openapi'))
    throw new UsageError(
      '--openapi is given twice; learn from one description, and then from the other with the profile of the first as --profile',
    );
  const recordings = given.list('har').map((source): Source => ({ kind: 'har', source }));
  return openapi === undefined ? recordings : [readAddress(openapi), ...recordings];
}

/** The files that are read. Throws UsageError. */
export function readSourceFiles(given: Given): string[] {
  return readSources(given)
    .map(({ source }) => source)
    .filter((source) => !isHttp(source));
}

function readAddress(openapi: string): Source {
  const url = isHttp(openapi) ? URL.parse(openapi) : null;
  if (isHttp(openapi) && !url)
    throw new UsageError('--openapi is no address; expected a file, or an http or https URL');
  if (url && (url.username || url.password))
    throw new UsageError(
      '--openapi takes no credentials, which process lists would show; give them with --header',
    );
  return { kind: 'openapi', source: openapi };
}
