// The flags and variables of `sitepub discover`, and what they mean.
import type { DiscoverOptions } from '../../contract-tests/discover/options.ts';
import { statedValues } from '../../openapi/profile.ts';
import { connectionFlags, connectionHelp, readConnection } from './connection-options.ts';
import {
  dropEmpty,
  readCredentials,
  readOptionalUrl,
  readReceiver,
  readSiteId,
  readUrl,
  receiverFlags,
} from './deployment-options.ts';
import { confirmFlag, type Flags, type Given, readFlags, readSecret, switchFlag, textFlag } from './flags.ts';
import { readDuration, readRequestTimeout } from './read-duration.ts';
import { readProfile, requestTimeoutFlag } from './shared-flags.ts';
import { sourceFlags } from './source-options.ts';
import { readOwnFiles } from './test-options.ts';
import { UsageError } from './usage-error.ts';

/** They have no meaning with --no-calls. */
const callFlags: Flags = {
  create: confirmFlag(
    'create without asking (on a terminal it asks; elsewhere nothing is created without this)',
  ),
  'max-wait': textFlag('TIME', 'longest wait for one answer, such as 62s or 370s (default: 15s)'),
  'control-url': textFlag('URL', 'control API of a mock: its clock is moved'),
  journal: textFlag(
    'F',
    'file in which resources are listed before they are created (default: one in the temporary folder)',
  ),
  ...receiverFlags,
};

export const discoverFlags: Flags = {
  'base-url': textFlag('URL', 'the deployment, an address that ends in /api/v1'),
  out: textFlag('FILE', 'where the profile is written (default: standard output)'),
  force: confirmFlag('let --out replace an existing file'),
  profile: textFlag('P', 'what is known already, such as operations: paths are never guessed'),
  ...sourceFlags,
  'no-calls': switchFlag('write what --openapi and --har say of operations, and call nothing'),
  ...callFlags,
  'request-timeout': requestTimeoutFlag('four'),
  ...connectionFlags,
};

export const discoverNotes = `With --openapi or --har, what a description or a recording says of operations is read first, and each operation is called once.
With --no-calls, nothing of the deployment is called, and neither credentials nor --base-url are needed.
Credentials come from the environment, or from files that SITEPUB_…_FILE names:
  SITEPUB_USERNAME, SITEPUB_PASSWORD  a user of a tenant
  SITEPUB_SITE_ID                     a site of that tenant, on which subscriptions are created
  SITEPUB_API_KEY                     an API key of that tenant, if there is no user
  SITEPUB_OTHER_SITE_ID               a site of another tenant, to see how it is refused
  SITEPUB_CONTROL_TOKEN               the token of the control API
${connectionHelp}
Exit codes: 0 a profile was written, 2 usage, profile, credentials, description or recording, 3 the deployment or the description
can't be reached, the deployment gives an unexpected answer, or nothing could be found out, 4 the command itself failed or --out
could no longer be written, 130 it was interrupted.`;

/** Throws UsageError for a flag that --no-calls contradicts. Variables of the environment may be there for other commands. */
export function refuseCallFlags(args: readonly string[]): void {
  const spoken = readFlags(args, discoverFlags, {});
  const flag = Object.keys(callFlags).find((name) => spoken.text(name) !== undefined);
  if (flag !== undefined)
    throw new UsageError(`--no-calls calls nothing, and --${flag} is for calls; leave one of them out`);
}

/** The values of the profile that says what is known already. Throws ProfileError. */
export function readKnown(given: Given): Readonly<Record<string, unknown>> {
  const known = readProfile(given);
  return known ? statedValues(known) : {};
}

/** What the command does not add itself. */
export type ProbeOptions = Omit<DiscoverOptions, 'mayCreate' | 'signal' | 'given'> & { journal: string };

/** Throws UsageError. */
export function readProbeOptions(given: Given): ProbeOptions {
  const baseUrl = readUrl(given, 'base-url');
  const siteId = readSiteId('SITEPUB_SITE_ID');
  const foreignSiteId = readSiteId('SITEPUB_OTHER_SITE_ID');
  const controlToken = readSecret('SITEPUB_CONTROL_TOKEN');
  const controlUrl = readOptionalUrl(given, 'control-url');
  const connection = readConnection(given, baseUrl);
  return {
    baseUrl,
    ...readCredentials(),
    ...dropEmpty({ connection, siteId, foreignSiteId, controlUrl, controlToken }),
    maxWaitMs: readDuration('--max-wait', given.text('max-wait') ?? '15s'),
    requestTimeoutMs: readRequestTimeout(given),
    receiver: readReceiver(given),
    ...readOwnFiles(given, 'discover'),
  };
}
