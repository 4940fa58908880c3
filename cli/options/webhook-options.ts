import type { ReceiverOptions } from '../../contract-tests/test-receiver/receiver-options.ts';
import { eventNames } from '../../openapi/event-names.ts';
import { noProfile } from '../../openapi/profile.ts';
import { dropEmpty, parseAddress, readProfile, readUrl, toSiteId } from './deployment-options.ts';
import { type Environment, type Given, readSecretLines } from './flags.ts';
import { readDuration, readFlag, readNames } from './read-values.ts';
import { UsageError } from './usage-error.ts';

/** A status, no answer, or a closed connection. */
export type AnswerStep = number | 'timeout' | 'reset';

/** "host:port", a port, or an IPv6 address in brackets. */
export function readListen(given: Given): { host: string; port: number } {
  const parse = (text: string) => {
    const [, host, port] = /^(?:(\[[\da-fA-F:.]+\]|[^\s:/[\]]+):)?(\d{1,5})$/.exec(text) ?? [];
    if (!(Number(port) <= 65_535)) return undefined;
    return { host: host?.replace(/^\[|\]$/g, '') ?? '127.0.0.1', port: Number(port) };
  };
  const expected = 'HOST:PORT, such as 127.0.0.1:4020';
  return readFlag(given, 'listen', { expected, parse }) ?? { host: '127.0.0.1', port: 4020 };
}

export function readSteps(given: Given): AnswerStep[] {
  return given.list('respond').map(readStep);
}

function readStep(text: string): AnswerStep {
  if (text === 'timeout' || text === 'reset') return text;
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw new UsageError(`--respond contains "${text}"; expected a status from 200 to 599, timeout or reset`);
}

export function readForward(given: Given): string | undefined {
  const url = readUrl(given, 'forward-to');
  if (url !== undefined && given.list('respond').length > 0)
    throw new UsageError('--forward-to and --respond cannot be used together; remove one');
  return url;
}

const name = 'SITEPUB_WEBHOOK_SECRET';

/** One secret, or one for each line of the file. Does not trim them. */
export function readSigningSecrets(
  { isDemanded }: { isDemanded: boolean },
  environment: Environment = process.env,
): string[] {
  const { [name]: secret, [`${name}_FILE`]: file } = environment;
  if (secret) return [secret];
  const secrets = file ? readSecretLines(name, file).filter(Boolean) : [];
  if (file && secrets.length === 0)
    throw new UsageError(`${name}_FILE names ${file}, which contains no secret`);
  if (isDemanded && secrets.length === 0)
    throw new UsageError(`--secret needs a signing secret; set ${name} or ${name}_FILE`);
  return secrets;
}

/** Throws UsageError. */
export async function readReceiverOptions(given: Given): Promise<ReceiverOptions> {
  return {
    url: readReceiverUrl(given),
    secret: readSigningSecrets({ isDemanded: given.switched('secret') }, given.environment)[0],
    profile: readProfile(given) ?? noProfile,
    events: readEvents(given),
    knowsEvents: given.list('events').length > 0,
    site: dropEmpty({
      id: toSiteId('--site-id', given.text('site-id')),
      name: given.text('site-name'),
    }),
    only: await readIds(given, 'only'),
    skip: await readIds(given, 'skip'),
    timeoutMs: readDuration(given, 'timeout', 10_000, 1),
  };
}

/** Unlike a base URL, the URL of a receiver may have a query. */
function readReceiverUrl(given: Given): string {
  const [text = ''] = given.words;
  const url = parseAddress(text, 'the URL');
  if (url.username || url.password || url.hash)
    throw new UsageError('the URL must contain neither credentials nor a fragment');
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
