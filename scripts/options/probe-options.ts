// The flags and variables of the commands that probe a deployment.
import type { DiscoverOptions } from '../../contract-tests/discover/discover-options.ts';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { connectionHelp, readConnection } from './connection-options.ts';
import {
  dropEmpty,
  readCredentials,
  readOptionalUrl,
  readReceiver,
  readSiteId,
  readUrl,
} from './deployment-options.ts';
import { type Flags, type Given, readSecret, textFlag } from './flags.ts';
import { readDuration, readRequestTimeout } from './read-duration.ts';
import { requestTimeoutFlag } from './shared-flags.ts';
import { readOwnFiles } from './test-options.ts';

export const probeFlags: Flags = {
  'request-timeout': requestTimeoutFlag,
  journal: textFlag(
    'F',
    'file in which resources are listed before they are created (default: one in the temporary folder)',
  ),
};

export const probeHelp = `Credentials come from the environment, or from files that SITEPUB_…_FILE names:
  SITEPUB_USERNAME, SITEPUB_PASSWORD  a user of a tenant
  SITEPUB_SITE_ID                     a site of that tenant, on which subscriptions are created
  SITEPUB_API_KEY                     an API key of that tenant, if there is no user
  SITEPUB_OTHER_SITE_ID               a site of another tenant, to see how it is refused
  SITEPUB_CONTROL_TOKEN               the token of the control API
${connectionHelp}`;

/** The values of the profile that says what is known already. Throws ProfileError. */
export function readKnown(given: Given): Readonly<Record<string, unknown>> {
  const known = given.text('profile');
  return known === undefined ? {} : statedValues(loadProfile(known));
}

/** What the caller of a probe does not add itself. */
export type ProbeOptions = Omit<DiscoverOptions, 'mayCreate' | 'signal' | 'given'> & { journal: string };

/** Flags that a command does not have count as not given. Throws UsageError. */
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
