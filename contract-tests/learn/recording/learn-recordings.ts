// From recordings to operations: which calls are of the API, and which of them were accepted.
import { isObject } from '../../../openapi/json.ts';
import { LearnError } from '../learn-error.ts';
import type { Exchange } from './read-har.ts';
import { type Call, operationsOfCalls, placeCall } from './recorded-operations.ts';

/** Reads all recordings as one. Where the API is, is not for people if it was not given; the notes are. Throws LearnError if no call is of the API. */
export function learnRecordings(exchanges: readonly Exchange[], given?: string) {
  const answered = exchanges.filter(hasEnvelope);
  const baseUrl = given ?? answered.map(baseOf).find(Boolean);
  if (baseUrl === undefined)
    throw new LearnError(
      'no call of the recording is answered as the service does, with code, message and trace_id; name the API with --base-url',
    );
  const calls = exchanges.flatMap((exchange) => placeCall(exchange, new URL(baseUrl)) ?? []);
  const [[guide], [first]] = [answered, calls];
  const hint = guide ? `; ${guide.place} is answered as the service does, and has another beginning` : '';
  if (!first) throw new LearnError(`the recording has no call of ${given ?? 'the API'}${hint}`);
  const [success, others] = [calls.filter(isSuccess), calls.filter((call) => !isSuccess(call))];
  const hasCredentials = calls.some(({ exchange }) => exchange.headers.has('authorization'));
  const at = others[0]?.exchange.place;
  const notes = [
    `${count(success)} of ${given ?? `the API at the address of ${first.exchange.place}`}`,
    ...(at ? [`left out: ${count(others)} (refused, or no JSON of the service), the first in ${at}`] : []),
    ...(hasCredentials ? [] : [withoutCredentials]),
  ];
  return { baseUrl, operations: operationsOfCalls(success), notes };
}

const withoutCredentials =
  'no call carries credentials: browsers leave them out unless one exports the recording "with sensitive data". Who may call what is not known';

const count = ({ length }: readonly unknown[]) => `${length} ${length === 1 ? 'call' : 'calls'}`;

/** Up to the version in its path, without credentials. */
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
