import { AnswerError, BusinessError } from './errors.ts';

interface Answer {
  status: number;
  location: string | null;
  text: string;
}

interface CallContext {
  call: string;
  /** Removed from messages, in case the service repeats them. */
  secrets: readonly (string | undefined)[];
}

/** Throws BusinessError for a refusal, and AnswerError if the body is not an envelope. */
export function checkAnswer(answer: Answer, { call, secrets }: CallContext): void {
  const { status, text } = answer;
  const body = parse(text);
  if (!isEnvelope(body)) throw new AnswerError(explain(answer, call), { call });
  const { code, message, trace_id: traceId } = body;
  if (code === 0) return;
  throw new BusinessError({ code, message: hideSecrets(message, secrets), traceId, status }, { call });
}

/** Does not replace very short secrets, because any text may contain them by chance. */
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

/** Does not repeat the body, because it may contain anything. */
function explain({ status, location, text }: Answer, call: string): string {
  if (status >= 300 && status < 400)
    return `${call} was redirected (HTTP ${status}) to ${withoutQuery(location)}; the client follows no redirects, because they could send the credentials elsewhere: pass the final address as baseUrl`;
  const body = text === '' ? 'an empty body' : "a body that is not the service's envelope";
  return `${call} was answered with ${body} (HTTP ${status}); check that baseUrl is the address of the service and ends in /api/v1`;
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
