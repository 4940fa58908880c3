// Accepts pushes on any path, verifies them, and answers with the configured steps.
import { createHash } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReceivingServer, readLimitedBody } from '../../contract-tests/push-receiver/limited-body.ts';
import { isSigned } from '../../webhooks/verification.ts';
import { verifyWebhook } from '../../webhooks/verify-webhook.ts';
import { UsageError } from '../options/usage-error.ts';
import type { AnswerStep } from '../options/webhook-options.ts';
import type { PassOn } from './pass-on.ts';
import type { ReceivedPush } from './print-push.ts';

interface ReceiverSettings {
  host: string;
  port: number;
  secrets: readonly string[];
  /** Empty for 200, and 401 when the signature is wrong. */
  steps: readonly AnswerStep[];
  /** Where given, its answers are those of the receiver. */
  passOn?: PassOn | undefined;
  onPush(push: ReceivedPush): void;
}

/** What all bodies that are being read may take together, in bytes. */
const mostOnTheirWay = 64_000_000;

/** Starts to listen. Throws UsageError when it can't. */
export async function startPrintingReceiver(
  settings: ReceiverSettings,
): Promise<{ url: string; close(): Promise<void> }> {
  const attempts = countAttempts();
  const next = createStepQueue(settings.steps);
  const room = { left: mostOnTheirWay };
  const server = createReceivingServer(async (request, response) => {
    const at = new Date();
    const body = await readLimitedBody(request, response, room);
    if (body === 'broken-off') return;
    if (body === 'too-long') return settings.onPush(refusedPush(request, at));
    const push = await receive(request, { at, body }, { settings, attempts, next });
    if (settings.passOn) return answerAsTarget(response, push, { ...settings, passOn: settings.passOn });
    settings.onPush(push);
    answer(response, push);
    room.left += body.length;
  });
  await listen(server, settings);
  return { url: urlOf(server), close: () => close(server) };
}

interface RequestContext {
  settings: ReceiverSettings;
  attempts(path: string, body: Buffer): number;
  next(): AnswerStep | undefined;
}

/** One that was answered before it was read. */
function refusedPush({ method = '', url: path = '', rawHeaders }: IncomingMessage, at: Date): ReceivedPush {
  const unread = { body: Buffer.alloc(0), isTooLong: true, attempt: 1, verification: undefined, secrets: 0 };
  return { at, method, path, rawHeaders, answer: 413, ...unread };
}

async function receive(
  request: IncomingMessage,
  { at, body }: Pick<ReceivedPush, 'at' | 'body'>,
  { settings: { secrets }, attempts, next }: RequestContext,
): Promise<ReceivedPush> {
  const { method = '', url: path = '', rawHeaders, headers } = request;
  const isPush = method === 'POST';
  const isVerified = isPush && secrets.length > 0;
  const verification = isVerified
    ? await verifyWebhook({ body, headers, secret: secrets, ids: 'string' })
    : undefined;
  return {
    at,
    method,
    path,
    rawHeaders,
    body,
    attempt: attempts(path, body),
    verification,
    secrets: secrets.length,
    // A request by another method, such as a health check, uses up no step.
    answer: isPush ? (next() ?? defaultAnswer(verification)) : 405,
  };
}

/** On mismatch a receiver must reject (section 6.4). */
function defaultAnswer(verification: ReceivedPush['verification']): number {
  return !verification || isSigned(verification) ? 200 : 401;
}

/** The same bytes to the same path count as another attempt of a push, since pushes have no ids. */
function countAttempts(): RequestContext['attempts'] {
  const counts = new Map<string, number>();
  return (path, body) => {
    const key = `${path} ${createHash('sha256').update(body).digest('hex')}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.delete(key);
    counts.set(key, count);
    const [oldest = ''] = counts.keys();
    if (counts.size > mostRemembered) counts.delete(oldest);
    return count;
  };
}

const mostRemembered = 10_000;

function createStepQueue(steps: readonly AnswerStep[]): RequestContext['next'] {
  let next = 0;
  return () => steps[Math.min(next++, steps.length - 1)];
}

async function answerAsTarget(
  response: ServerResponse,
  push: ReceivedPush,
  { passOn, onPush }: Pick<ReceiverSettings, 'onPush'> & { passOn: PassOn },
): Promise<void> {
  const passedOn = await passOn(push);
  onPush({ ...push, answer: passedOn.status, passedOn });
  response.writeHead(passedOn.status, passedOn.rawHeaders).end(passedOn.body);
}

function answer(response: ServerResponse, { answer: step }: ReceivedPush): void {
  if (step === 'timeout') return;
  if (step === 'reset') response.socket?.resetAndDestroy();
  else response.writeHead(step, { 'Content-Type': 'application/json' }).end(bodyOf(step));
}

function bodyOf(status: number): string | undefined {
  if (status === 204 || status === 304) return undefined;
  return JSON.stringify({ received: status < 300 });
}

function listen(server: Server, { host, port }: ReceiverSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new UsageError(
          `can't listen on ${host}:${port} (${code}); choose another --listen, such as 127.0.0.1:0`,
        ),
      ),
    );
    server.listen({ host, port }, resolve);
  });
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
