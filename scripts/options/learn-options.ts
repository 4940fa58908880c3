// The flags of `sitepub learn`, and what they mean.
import type { Connection } from '../../contract-tests/core/suite-options.ts';
import { isHttp } from '../../contract-tests/learn/openapi/description-source.ts';
import { connectionFlags, connectionHelp, readConnection } from './connection-options.ts';
import { dropEmpty, readOptionalUrl } from './deployment-options.ts';
import { type Flags, type Given, listFlag, switchFlag, textFlag } from './flags.ts';
import { UsageError } from './usage-error.ts';

export const learnFlags: Flags = {
  openapi: textFlag('FILE|URL', 'an OpenAPI description of the deployment, 2.0, 3.0 or 3.1, in JSON or YAML'),
  har: listFlag('FILE', 'a recording of the console in use, as browsers save it (HAR); may be repeated'),
  'base-url': textFlag('URL', 'the deployment, an address that ends in /api/v1: what comes before the paths'),
  profile: textFlag('P', 'what is known already; it is kept'),
  out: textFlag('FILE', 'where the profile is written (default: standard output)'),
  force: switchFlag('let --out replace an existing file'),
  ...connectionFlags,
};

export const learnNotes = `At least one of --openapi and --har is needed. Nothing of the deployment is called but the address of the description.
${connectionHelp.replace('for calls of the deployment', 'for that address')}
Exit codes: 0 a profile was written, 2 usage, profile, description or recording, 3 the address can't be read, or nothing could be learnt,
4 the command itself failed or the profile could not be written to --out, 130 it was interrupted.`;

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
  profile?: string;
}

/** Throws UsageError. */
export function readLearnOptions(given: Given): LearnOptions {
  const sources = readSources(given);
  const baseUrl = readOptionalUrl(given, 'base-url');
  const address = sources.find(({ kind, source }) => kind === 'openapi' && isHttp(source))?.source;
  const connection = address === undefined ? undefined : readConnection(given, address);
  return {
    sources,
    basePath: baseUrl === undefined ? undefined : new URL(baseUrl).pathname.replace(/\/$/, ''),
    ...dropEmpty({ baseUrl, connection, profile: given.text('profile') }),
  };
}

function readSources(given: Given): Source[] {
  const openapi = given.text('openapi');
  const recordings = given.list('har').map((source): Source => ({ kind: 'har', source }));
  if (openapi === undefined && recordings.length === 0)
    throw new UsageError(
      'there is nothing to learn from; give a description with --openapi, or a recording with --har',
    );
  return openapi === undefined ? recordings : [readAddress(openapi), ...recordings];
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
