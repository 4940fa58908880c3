// Reads an answer as the service's envelope.
import { AnswerError, BusinessError } from './errors.ts';

export interface Answer {
  status: number;
  location: string | null;
  text: string;
}

interface CallContext {
  /** By method and path template. */
  call: string;
  /** What was sent and is not to be seen in a message, should the service repeat it. */
  secrets: readonly (string | undefined)[];
}

/** Throws BusinessError for a refusal, and AnswerError for what is no envelope. */
export function checkAnswer(answer: Answer, { call, secrets }: CallContext): void {
  const { status, text } = answer;
  const body = parse(text);
  if (!isEnvelope(body)) throw new AnswerError(explain(answer, call), { call });
  const { code, message, trace_id: traceId } = body;
  if (code === 0) return;
  throw new BusinessError({ code, message: hideSecrets(message, secrets), traceId, status }, { call });
}

/** Very short ones are found in any text, and protect nothing. */
function hideSecrets(message: string, secrets: readonly (string | undefined)[]): string {
  const long = secrets.filter((secret) => secret !== undefined && secret.length >= 6);
  return long.reduce<string>((text, secret = '') => text.replaceAll(secret, '…'), message);
}

interface Envelope {
  code: number;
  message: string;
  trace_id: string;
}

function isEnvelope(body: unknown): body is Envelope {
  if (typeof body !== 'object' || body === null) return false;
  const { code, message, trace_id: traceId } = body as Partial<Record<keyof Envelope, unknown>>;
  return Number.isInteger(code) && typeof message === 'string' && typeof traceId === 'string';
}

/** Nothing of the body is repeated, which may hold anything. */
function explain({ status, location, text }: Answer, call: string): string {
  if (status >= 300 && status < 400)
    return `${call} was redirected (HTTP ${status}) to ${withoutQuery(location)}; redirects are not followed, for they could carry the credentials elsewhere: give the final address as baseUrl`;
  const what = text === '' ? 'with an empty body' : `with something else than the service's envelope`;
  return `${call} was answered ${what} (HTTP ${status}); does baseUrl lead to the service, and does it end in /api/v1?`;
}

function withoutQuery(location: string | null): string {
  return location?.split(/[?#]/)[0] || 'nowhere';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
