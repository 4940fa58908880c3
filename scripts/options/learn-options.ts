// The flags of `sitepub learn`, and what they mean.
import type { Connection } from '../../contract-tests/core/suite-options.ts';
import { isHttp } from '../../contract-tests/learn/openapi/description-source.ts';
import { connectionFlags, readConnection } from './connection-options.ts';
import { dropEmpty, readOptionalUrl, readUrl } from './deployment-options.ts';
import { type Flags, type Given, listFlag, switchFlag, textFlag } from './flags.ts';
import { probeFlags, probeHelp } from './probe-options.ts';
import { readRequestTimeout } from './read-duration.ts';
import { UsageError } from './usage-error.ts';

/** What both learn and discover learn from. */
export const sourceFlags: Flags = {
  openapi: textFlag('FILE|URL', 'an OpenAPI description of the deployment, 2.0, 3.0 or 3.1, in JSON or YAML'),
  har: listFlag('FILE', 'a recording of the console in use, as browsers save it (HAR); may be repeated'),
};

export const learnFlags: Flags = {
  ...sourceFlags,
  proxy: textFlag(
    'PORT',
    'record the console as it is used: listen there, pass everything on to the origin of --base-url, until Ctrl-C',
  ),
  'proxy-host': textFlag('HOST', 'the address that --proxy listens on (default: 127.0.0.1)'),
  'base-url': textFlag('URL', 'the deployment, an address that ends in /api/v1: what comes before the paths'),
  profile: textFlag('P', 'what is known already; it is kept'),
  try: switchFlag('call each operation that was learnt once, on a new site, and delete what that creates'),
  out: textFlag('FILE', 'where the profile is written (default: standard output)'),
  force: switchFlag('let --out replace an existing file'),
  ...connectionFlags,
  ...probeFlags,
};

export const learnNotes = `At least one of --openapi, --har and --proxy is needed. Without --try, only the address of the description is called of the deployment, and with
--proxy the base address once; all else that passes is what the browser asks for. --try needs --base-url and credentials.
${probeHelp}
Exit codes: 0 a profile was written, 2 usage, profile, description or recording, 3 the address can't be reached, or nothing could be learnt,
4 the command itself failed or --out could no longer be written, 130 it was interrupted. Where --try ends early, as with a
wrong password (2), what was learnt is written all the same.`;

/** Something that shows how operations are called. */
export interface Source {
  kind: 'openapi' | 'har' | 'proxy';
  /** A path; of a description also an address; with --proxy the base address. */
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
  proxy?: ProxyOptions;
}

/** How the console is recorded on its way. */
export interface ProxyOptions {
  /** 0 for any free one. */
  port: number;
  host?: string;
  baseUrl: string;
  connection?: Connection;
  /** For the call that shows whether it is there. */
  requestTimeoutMs: number;
}

/** Throws UsageError. */
export function readLearnOptions(given: Given): LearnOptions {
  const proxy = readProxyOptions(given);
  const sources = readSources(given, proxy);
  if (sources.length === 0)
    throw new UsageError(
      'there is nothing to learn from; give a description with --openapi, or a recording with --har or --proxy',
    );
  const baseUrl = readOptionalUrl(given, 'base-url');
  const address = addressIn(sources);
  const connection = address === undefined ? undefined : readConnection(given, address);
  return {
    sources,
    basePath: baseUrl === undefined ? undefined : new URL(baseUrl).pathname.replace(/\/$/, ''),
    requestTimeoutMs: readRequestTimeout(given),
    headers: given.list('header'),
    ...dropEmpty({ baseUrl, connection, proxy }),
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

function readProxyOptions(given: Given): ProxyOptions | undefined {
  const [port, host] = [given.text('proxy'), given.text('proxy-host')];
  if (port === undefined) {
    if (host !== undefined) throw new UsageError('--proxy-host is given and --proxy is not; give both');
    return undefined;
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--proxy is "${port}"; expected a port, such as 8080`);
  const baseUrl = readUrl(given, 'base-url');
  const connection = readConnection(given, baseUrl);
  const requestTimeoutMs = readRequestTimeout(given);
  return { port: Number(port), baseUrl, requestTimeoutMs, ...dropEmpty({ host, connection }) };
}

/** The description and the recordings that are given. Throws UsageError. */
function readSources(given: Given, proxy?: ProxyOptions): Source[] {
  const openapi = given.text('openapi');
  if (given.isRepeated('openapi'))
    throw new UsageError(
      '--openapi is given twice; learn from one description, and then from the other with the profile of the first as --profile',
    );
  const files = given.list('har').map((source): Source => ({ kind: 'har', source }));
  const recordings = proxy ? [...files, { kind: 'proxy' as const, source: proxy.baseUrl }] : files;
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
