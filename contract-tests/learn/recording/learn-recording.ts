// From a recording to operations: which calls are of the API, which were accepted, and what all of them keep secret.
import type { DescribedOperation } from '../described-operation.ts';
import { chooseApi } from './choose-api.ts';
import { outcomeOf } from './envelope.ts';
import { operationsOfCalls } from './operations-of-calls.ts';
import { looksRandom } from './plain-words.ts';
import { haveCredentials } from './read-credential.ts';
import type { ReadHar } from './read-har.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { createSecretTexts, type SecretTexts } from './secret-texts.ts';

export interface LearntRecording {
  /** Where the API is. It is printed by `notes`, which leave out what may be secret in it. */
  baseUrl: string;
  operations: DescribedOperation[];
  /** Sentences for people on what was taken and what was left out; they hold no secrets. */
  notes: string[];
}

interface Reading {
  /** Guessed where it is not given. */
  baseUrl?: string | undefined;
  /** How many entries of the file were no calls, by the reason. */
  leftOut?: ReadonlyMap<string, number>;
  /** Entries that are no calls, which may hold secrets all the same. */
  others?: readonly RecordedExchange[];
}

/** Several recordings as one, so that what one of them keeps secret is kept secret in all. Throws as `learnRecording` does. */
export function learnRecordings(
  recordings: readonly ReadHar[],
  baseUrl: string | undefined,
): LearntRecording {
  const leftOut = new Map<string, number>();
  for (const [reason, number] of recordings.flatMap((one) => [...one.leftOut]))
    leftOut.set(reason, (leftOut.get(reason) ?? 0) + number);
  const exchanges = recordings.flatMap((one) => one.exchanges);
  exchanges.sort((one, other) => one.startedAt - other.startedAt);
  const others = recordings.flatMap((one) => one.others);
  return learnRecording(exchanges, { baseUrl, leftOut, others });
}

/** The same of exchanges, in the order in which they began. Throws RecordingError where none of them is a call of the API. */
export function learnRecording(
  exchanges: readonly RecordedExchange[],
  { baseUrl, leftOut = new Map(), others = [] }: Reading = {},
): LearntRecording {
  const secrets = secretsOf([...exchanges, ...others]);
  const api = chooseApi(exchanges, baseUrl);
  const operations = operationsOfCalls(api.calls, {
    baseUrl: api.baseUrl,
    secrets,
    others: [...others, ...exchanges.filter((one) => !api.calls.includes(one))],
  });
  return { baseUrl: api.baseUrl, operations, notes: [...notesOf(api, secrets), ...sayLeftOut(leftOut)] };
}

function secretsOf(exchanges: readonly RecordedExchange[]): SecretTexts {
  const secrets = createSecretTexts();
  for (const exchange of exchanges) secrets.learn(exchange);
  return secrets;
}

function notesOf(api: ReturnType<typeof chooseApi>, secrets: SecretTexts): string[] {
  const { baseUrl, isGuessed, calls, elsewhere } = api;
  const outcomes = Map.groupBy(calls, outcomeOf);
  const [refused, unknown] = [outcomes.get('refused') ?? [], outcomes.get(undefined) ?? []];
  const hasCredentials = haveCredentials(calls);
  return [
    `${count(calls.length, 'call')} of ${shownAddress(baseUrl, secrets)}${isGuessed ? ', which answers as the service does' : ''}`,
    refused.length > 0 && `left out: ${count(refused.length, 'call')} that the deployment refused`,
    unknown.length > 0 &&
      `left out: ${count(unknown.length, 'call')} whose answer is not in the recording, or is not the service's envelope`,
    elsewhere > 0 && `left out: ${count(elsewhere, 'request')} to other addresses`,
    !hasCredentials &&
      'no call carries credentials: browsers leave them out unless one exports the recording "with sensitive data". Who may call what is not known',
  ].filter((note) => note !== false);
}

function sayLeftOut(leftOut: ReadonlyMap<string, number>): string[] {
  return [...leftOut].map(([reason, number]) => `left out: ${count(number, 'entry', 'entries')} (${reason})`);
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A path may begin with a token. */
function shownAddress(baseUrl: string, secrets: SecretTexts): string {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname
    .split('/')
    .map((part) => (looksRandom(part) || secrets.isIn(part) ? '…' : part))
    .join('/');
  return `${secrets.isIn(origin) ? '…' : origin}${path.replace(/\/$/, '')}`;
}
