import { type IncomingMessage, request as openHttp, type ServerResponse } from 'node:http';
import { request as openHttps } from 'node:https';
import { pipeline } from 'node:stream';
import { type CapturedBody, captureBody } from './capture-body.ts';
import { exchangeOf } from './exchange-of-messages.ts';
import { answerHeaders, type PassedHeaders, requestHeaders, type Sides } from './pass-headers.ts';
import { answerMs, type Passage } from './passage.ts';

interface Arrived {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** Passes one request to the target, and its answer back, both as they come. */
export function passRequest({ incoming, outgoing }: Arrived, passage: Passage): void {
  const startedAt = Date.now();
  const sides = sidesOf(incoming, passage);
  const onward = openOnward(incoming, passage, requestHeaders(incoming, sides));
  const sent = captureBody(incoming, passage.budget);
  onward.setTimeout(answerMs, () => onward.destroy(withCode('no answer for two minutes')));
  onward.on('error', (error) => fail(outgoing, error, passage));
  onward.on('response', (answer) => {
    onward.setTimeout(0);
    outgoing.sendDate = false;
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answerHeaders(answer, sides));
    outgoing.flushHeaders();
    const got = captureBody(answer, isStream(answer) ? { bytes: Number.POSITIVE_INFINITY } : passage.budget);
    pipeline(answer, outgoing, (error) => {
      if (!error) tell({ incoming, answer, sent, got, startedAt }, passage);
      sent.release();
      got.release();
    });
  });
  outgoing.on('close', () => {
    if (outgoing.writableFinished) return;
    onward.destroy();
    sent.release();
  });
  // A pipeline would close the browser's connection where the target fails, and nobody could say so.
  incoming.pipe(onward);
}

/** A request to the target, not yet sent. */
export function openOnward(
  incoming: IncomingMessage,
  { target, agent, headers }: Passage,
  passed: PassedHeaders,
) {
  const open = target.protocol === 'https:' ? openHttps : openHttp;
  const { hostname, port } = target;
  return open({
    // IPv6 addresses stand in brackets in URLs alone.
    hostname: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port }),
    method: incoming.method,
    path: incoming.url,
    headers: { ...headers, ...passed },
    agent,
  });
}

/** The proxy has the name by which the browser has called it. */
export function sidesOf({ headers }: IncomingMessage, { target }: Passage): Sides {
  return { target: target.origin, own: `http://${headers.host}` };
}

/** What never ends is not kept. */
function isStream({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream/i.test(headers['content-type'] ?? '');
}

interface Passed {
  incoming: IncomingMessage;
  answer: IncomingMessage;
  sent: CapturedBody;
  got: CapturedBody;
  startedAt: number;
}

function tell({ incoming, answer, sent, got, startedAt }: Passed, passage: Passage): void {
  const { exchange, noCall } = exchangeOf({
    target: passage.target,
    request: { message: incoming, text: sent.text() },
    answer: { message: answer, text: got.text() },
    startedAt,
    number: passage.number,
  });
  if (noCall === undefined) passage.onExchange(exchange);
  else passage.onOther(exchange);
}

/** Says in a sentence what is wrong with the way to the target. Where the answer has begun, only its end can say so. */
function fail(outgoing: ServerResponse, error: NodeJS.ErrnoException, { target, onProblem }: Passage): void {
  if (outgoing.destroyed || outgoing.writableFinished) return;
  const sentence = sayLoss(target, error);
  onProblem(sentence);
  if (outgoing.headersSent) return void outgoing.destroy();
  outgoing
    .writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
    .end(`${sentence}\n`);
}

/** Node's messages name hosts and ports; those of OpenSSL the reason. */
export function sayLoss({ origin }: URL, { code, message }: NodeJS.ErrnoException): string {
  return `${origin} gave no answer to sitepub's proxy: ${code ?? message}`;
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
