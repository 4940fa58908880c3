// Prints a received push: text for people, JSON for programs.
import { parseJson } from '../../contract-tests/core/parse-json.ts';
import { visible, visibleJson, visibleLines } from '../../contract-tests/core/visible-text.ts';
import { longestBody } from '../../contract-tests/push-receiver/limited-body.ts';
import type { Ids } from '../../webhooks/identifiers.ts';
import { isSigned, type Verification } from '../../webhooks/verification.ts';
import type { AnswerStep } from '../options/webhook-options.ts';

export interface ReceivedPush {
  at: Date;
  method: string;
  path: string;
  /** Alternating names and values, as received. */
  rawHeaders: readonly string[];
  body: Buffer;
  /** The body was not read. */
  isTooLong?: boolean;
  /** How often the same bytes came to the same path. */
  attempt: number;
  /** Undefined without a secret. */
  verification: Verification<Ids> | undefined;
  secrets: number;
  answer: AnswerStep;
  forwarded?: { url: string; problem?: string };
}

const mostShown = 16_384;
const hidden = /^(authorization|proxy-authorization|cookie)$/i;

export function describePush(push: ReceivedPush): string {
  const { at, method, path, attempt, answer, body, isTooLong } = push;
  const event = eventOf(push);
  const head = [
    at.toISOString(),
    `${method} ${visible(path)}`,
    ...(event === undefined ? [] : [visible(event)]),
    `attempt ${attempt}`,
    verdictOf(push).text,
  ];
  return [
    head.join('  '),
    ...headersOf(push).map(([name, value]) => `  ${visible(name)}: ${visible(value)}`),
    '',
    indent(isTooLong ? '(the body was not read)' : describeBody(body)),
    '',
    `  ${describeAnswer(answer)}${describeForwarding(push)}`,
    '',
  ].join('\n');
}

/** One line without control characters. */
export function pushAsJson(push: ReceivedPush): string {
  const { at, method, path, attempt, verification, answer, body, forwarded } = push;
  const text = decode(body);
  const fields = {
    at: at.toISOString(),
    method,
    path,
    attempt,
    verified: verdictOf(push).verified,
    ...(verification?.ok === false && { reason: verification.reason, message: verification.message }),
    ...(push.isTooLong && { too_long: true }),
    event: eventOf(push) ?? null,
    headers: joinHeaders(headersOf(push)),
    ...(text === undefined ? { body_base64: body.toString('base64') } : { body: text }),
    answer,
    ...(forwarded && { passed_on: { url: forwarded.url, problem: forwarded.problem ?? null } }),
  };
  return visibleJson(fields);
}

export function describeAnswer(answer: AnswerStep): string {
  if (typeof answer === 'number') return `answered ${answer}`;
  return answer === 'timeout' ? 'not answered' : 'connection reset';
}

function describeForwarding({ forwarded }: ReceivedPush): string {
  if (!forwarded) return '';
  const { url, problem } = forwarded;
  return problem === undefined ? ` by ${visible(url)}` : `: ${visible(problem)}`;
}

interface Verdict {
  verified: boolean | null;
  text: string;
}

function verdictOf({ method, verification, secrets, isTooLong }: ReceivedPush): Verdict {
  if (isTooLong) return { verified: null, text: `not read: longer than ${longestBody} bytes` };
  if (method !== 'POST') return { verified: null, text: 'not a push' };
  if (!verification) return { verified: null, text: 'not verified: no secret is set' };
  if (verification.ok) {
    const which = secrets > 1 ? ` with secret ${verification.secretIndex + 1} of ${secrets}` : '';
    return { verified: true, text: `verified${which}` };
  }
  const { reason, message } = verification;
  if (isSigned(verification)) return { verified: true, text: visible(`verified: ${message}`) };
  return { verified: false, text: visible(`NOT VERIFIED (${reason}): ${message}`) };
}

/** From the body, because only the body is signed. */
function eventOf({ body }: ReceivedPush): string | undefined {
  try {
    const { event } = Object(JSON.parse(body.toString()));
    return typeof event === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
}

function headersOf({ rawHeaders }: ReceivedPush): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, at) => {
    const [name = '', value = ''] = rawHeaders.slice(2 * at, 2 * at + 2);
    return [name, hidden.test(name) ? '(hidden)' : value];
  });
}

/** Names in lower case; repeated headers are joined, as in HTTP. */
function joinHeaders(headers: readonly [string, string][]): Record<string, string> {
  const values = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return Object.fromEntries(
    [...values].map(([name, pairs]) => [name, pairs.map(([, value]) => value).join(', ')]),
  );
}

function describeBody(body: Buffer): string {
  if (body.length === 0) return '(no body)';
  const text = decode(body);
  if (text === undefined)
    return `(${body.length} bytes that are not UTF-8, in Base64) ${shorten(body.toString('base64'))}`;
  return visibleLines(text.length > mostShown ? shorten(text) : indentJson(text));
}

function shorten(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown)}… (${text.length} characters in all)` : text;
}

function decode(body: Buffer): string | undefined {
  const text = body.toString();
  return Buffer.from(text).equals(body) ? text : undefined;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

/** Puts each member on its own line, and does not change tokens such as 1.0, \u escapes or repeated keys. */
export function indentJson(text: string): string {
  if (parseJson(text) === undefined) return text;
  let depth = 0;
  let previous = '';
  let indented = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g)) {
    const isEnd = token === '}' || token === ']';
    const isAfterBegin = previous === '{' || previous === '[';
    if (isEnd) depth--;
    if (isEnd !== isAfterBegin || previous === ',') indented += `\n${'  '.repeat(depth)}`;
    indented += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
    previous = token;
  }
  return indented.trimStart();
}
