// From recordings to operations: which calls are of the API, and which of them were accepted.
import { isObject } from '../../../openapi/json.ts';
import type { DescribedOperation } from '../described-operation.ts';
import { LearnError } from '../learn-error.ts';
import type { Exchange } from './read-har.ts';
import { type Call, operationsOfCalls, placeCall } from './recorded-operations.ts';

export interface LearntRecording {
  /** Where the API is. If it was not given, it is of the recording, and not for people. */
  baseUrl: string;
  operations: DescribedOperation[];
  /** Sentences for people: what was taken, and what was left out. */
  notes: string[];
}

/** Reads the exchanges of all recordings as one. Throws LearnError if none of them is a call of the API. */
export function learnRecordings(exchanges: readonly Exchange[], given?: string): LearntRecording {
  const guide = exchanges.find(hasEnvelope);
  const baseUrl = given ?? exchanges.filter(hasEnvelope).map(baseOf).find(Boolean);
  if (baseUrl === undefined)
    throw new LearnError(
      'no call of the recording is answered as the service does, with code, message and trace_id; name the API with --base-url',
    );
  const calls = exchanges.flatMap((exchange) => placeCall(exchange, new URL(baseUrl)) ?? []);
  const [first] = calls;
  if (!first) {
    const hint = guide ? `; ${guide.place} is answered as the service does, and has another beginning` : '';
    throw new LearnError(`the recording has no call of ${given ?? 'the API'}${hint}`);
  }
  const { success = [], refused = [], unknown = [] } = Object.groupBy(calls, outcomeOf);
  const hasCredentials = calls.some(({ exchange }) => exchange.headers.has('authorization'));
  const notes = [
    `${count(success)} of ${given ?? `the API at the address of ${first.exchange.place}`}`,
    ...sayLeftOut(refused, 'refused'),
    ...sayLeftOut(unknown, 'no JSON of the service in the answer'),
    ...(hasCredentials ? [] : [withoutCredentials]),
  ];
  return { baseUrl, operations: operationsOfCalls(success), notes };
}

const withoutCredentials =
  'no call carries credentials: browsers leave them out unless one exports the recording "with sensitive data". Who may call what is not known';

function sayLeftOut(calls: readonly Call[], what: string): string[] {
  const [first] = calls;
  return first ? [`left out: ${count(calls)} (${what}), the first in ${first.exchange.place}`] : [];
}

function count({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? 'call' : 'calls'}`;
}

/** Up to the version in its path, without credentials. */
function baseOf({ url }: Exchange): string | undefined {
  const { protocol = '', origin, pathname = '' } = URL.parse(url) ?? {};
  const version = /^(\/.*?)?\/v\d+(?=\/)/i.exec(pathname);
  return /^https?:$/.test(protocol) && version ? `${origin}${version[0]}` : undefined;
}

function hasEnvelope({ answer }: Exchange): boolean {
  return isObject(answer) && Number.isInteger(answer.code) && 'message' in answer && 'trace_id' in answer;
}

function outcomeOf({ exchange: { answer, status } }: Call): 'success' | 'refused' | 'unknown' {
  if (answer === undefined && status === 204) return 'success';
  const code = isObject(answer) ? answer.code : undefined;
  if (code === 0 || code === '0') return 'success';
  return code === undefined ? 'unknown' : 'refused';
}
