// Finds the successful calls of the API in recordings.
import { isObject } from '../../../openapi/json.ts';
import { LearnError } from '../learn-error.ts';
import type { Exchange } from './read-har.ts';
import { type Call, operationsOfCalls, placeCall } from './recorded-operations.ts';

/** Do not print the returned `baseUrl` unless it was given: it may be private. Throws LearnError if no call belongs to the API. */
export function learnRecordings(exchanges: readonly Exchange[], given?: string) {
  const answered = exchanges.filter(hasEnvelope);
  const baseUrl = given ?? answered.map(baseOf).find(Boolean);
  if (baseUrl === undefined)
    throw new LearnError(
      'no answer in the recording has the envelope (code, message, trace_id); pass the URL of the API with --base-url',
    );
  const calls = exchanges.flatMap((exchange) => placeCall(exchange, new URL(baseUrl)) ?? []);
  const [[guide], [first]] = [answered, calls];
  const hint = guide ? `; ${guide.place} has the envelope, but another base URL` : '';
  if (!first) throw new LearnError(`the recording contains no call of ${given ?? 'the API'}${hint}`);
  const [success, others] = [calls.filter(isSuccess), calls.filter((call) => !isSuccess(call))];
  const hasCredentials = calls.some(({ exchange }) => exchange.headers.has('authorization'));
  const at = others[0]?.exchange.place;
  const notes = [
    `${count(success)} of ${given ?? `the API in ${first.exchange.place}`}`,
    ...(at ? [`ignored: ${count(others)} (refused, or not JSON of the service), the first in ${at}`] : []),
    ...(hasCredentials ? [] : [withoutCredentials]),
  ];
  return { baseUrl, operations: operationsOfCalls(success), notes };
}

const withoutCredentials =
  'no call carries credentials, so sitepub does not know who may call what: export the recording "with sensitive data" to include them';

const count = ({ length }: readonly unknown[]) => `${length} ${length === 1 ? 'call' : 'calls'}`;

/** The URL up to the version in its path, without credentials. */
function baseOf({ url }: Exchange): string | undefined {
  const { protocol = '', origin, pathname = '' } = URL.parse(url) ?? {};
  const version = /^(\/.*?)?\/v\d+(?=\/)/i.exec(pathname);
  return /^https?:$/.test(protocol) && version ? `${origin}${version[0]}` : undefined;
}

function hasEnvelope({ answer }: Exchange): boolean {
  return isObject(answer) && Number.isInteger(answer.code) && 'message' in answer && 'trace_id' in answer;
}

function isSuccess({ exchange: { answer, status } }: Call): boolean {
  if (answer === undefined) return status === 204;
  return isObject(answer) && (answer.code === 0 || answer.code === '0');
}
