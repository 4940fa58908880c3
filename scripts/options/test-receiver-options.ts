// The flags and the environment of `sitepub test-receiver`, and what they mean.
import type { ReceiverOptions } from '../../contract-tests/test-receiver/receiver-options.ts';
import { eventNames } from '../../openapi/event-names.ts';
import { noProfile } from '../../openapi/profile.ts';
import { dropEmpty, toSiteId, withoutSecrets } from './deployment-options.ts';
import { type Flags, type Given, listFlag, secretFlag, switchFlag, textFlag, variableOf } from './flags.ts';
import { readDuration } from './read-duration.ts';
import { readNames } from './read-names.ts';
import { readSigningSecrets } from './receiver-secrets.ts';
import { readProfile, reportFlags } from './shared-flags.ts';
import { UsageError } from './usage-error.ts';

export const testReceiverFlags: Flags = {
  url: textFlag('URL', 'address of the receiver; nothing is sent to any other'),
  secret: secretFlag('require SITEPUB_WEBHOOK_SECRET; without a secret nothing can be verified'),
  'site-id': textFlag('ID', 'a site that the receiver knows, which the pushes are about (default: 101)'),
  'site-name': textFlag('NAME', 'the name of that site (default: Harbour Books)'),
  events: listFlag('EVENT…', 'the events that the receiver is subscribed to (default: whichever it accepts)'),
  profile: textFlag('P', 'format of the pushes: path of a profile, or name of a packaged one'),
  only: listFlag('ID…', 'only these: RECV-1, RECV-2, advice, or ids of checks'),
  skip: listFlag('ID…', 'not these'),
  timeout: textFlag('TIME', 'how long an answer may take (default: 10s)'),
  ...reportFlags,
  'dry-run': switchFlag('send nothing; list the checks, and what they would send'),
};

export const testReceiverEnvironment = `A receiver may refuse sites that it does not know, and events to which it is not subscribed: without --site-id, --site-name and
--events such a refusal leaves things not verified. Each flag can be set by an environment variable too, such as SITEPUB_SITE_ID.
The secret comes from the environment, or from the first line of a file:
  SITEPUB_WEBHOOK_SECRET, SITEPUB_WEBHOOK_SECRET_FILE
Exit codes: 0 what was verified holds (warnings aside), 1 the receiver failed, 2 usage or profile,
3 the receiver can't be reached or nothing could be verified, 4 the test itself failed, 130 the run was interrupted.`;

/** The options of a run, from flags and environment. Throws UsageError. */
export async function readReceiverOptions(given: Given): Promise<ReceiverOptions> {
  const timeoutMs = readDuration('--timeout', given.text('timeout') ?? '10s');
  if (timeoutMs < 1) throw new UsageError('--timeout is 0; expected a time such as 10s');
  return {
    url: readReceiverUrl(given),
    secret: readSigningSecrets({ isDemanded: given.switched('secret') })[0],
    profile: readProfile(given) ?? noProfile,
    events: readEvents(given),
    knowsEvents: given.list('events').length > 0,
    site: dropEmpty({
      id: toSiteId('--site-id', given.text('site-id')),
      name: given.text('site-name'),
    }),
    only: await readIds(given, 'only'),
    skip: await readIds(given, 'skip'),
    timeoutMs,
  };
}

/** Unlike the address of a deployment, that of a receiver may have a query. */
function readReceiverUrl(given: Given): string {
  const text = given.text('url');
  if (text === undefined) throw new UsageError(`--url is missing; give it, or set ${variableOf('url')}`);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url is "${withoutSecrets(text)}"; expected an http or https URL`);
  if (url.username || url.password || url.hash)
    throw new UsageError('--url takes no credentials and no fragment; a receiver gets neither');
  return url.href;
}

function readEvents(given: Given): ReceiverOptions['events'] {
  const names = readNames(given, 'events', { known: eventNames, noun: 'event' });
  return names.length === 0 ? eventNames : eventNames.filter((event) => names.includes(event));
}

async function readIds(given: Given, flag: 'only' | 'skip'): Promise<string[]> {
  if (given.list(flag).length === 0) return [];
  const { receiverChecks } = await import('../../contract-tests/test-receiver/checks/index.ts');
  const known = ['RECV-1', 'RECV-2', 'advice', ...receiverChecks.map(({ id }) => id)];
  const otherwise = ' (--dry-run lists all)';
  return readNames(given, flag, { known, noun: 'requirement or check of receivers', otherwise });
}
