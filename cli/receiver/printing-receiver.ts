// Accepts pushes on any path, verifies them, and answers with the configured steps.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReceivingServer, readLimitedBody } from '../../contract-tests/push-receiver/limited-body.ts';
import { isSigned } from '../../webhooks/verification.ts';
import { verifyWebhook } from '../../webhooks/verify-webhook.ts';
import { UsageError } from '../options/usage-error.ts';
import type { AnswerStep } from '../options/webhook-options.ts';
import type { Forward, ForwardResult } from './forward-push.ts';
import type { ReceivedPush } from './print-push.ts';

interface ReceiverSettings {
  host: string;
  port: number;
  secrets: readonly string[];
  /** Empty for 200, or 401 if the signature is wrong. */
  steps: readonly AnswerStep[];
  /** If given, the target decides about the answer. */
  forward?: Forward | undefined;
  onPush(push: ReceivedPush): void;
}

/** Limit for all bodies in memory, in bytes. */
const mostHeldBytes = 64_000_000;

/** Throws UsageError if it cannot listen. */
export async function startPrintingReceiver(
  settings: ReceiverSettings,
): Promise<{ url: string; close(): Promise<void> }> {
  const { host, port, forward, onPush } = settings;
  const receive = createReceive(settings);
  const room = { left: mostHeldBytes };
  const server = createReceivingServer(async (request, response) => {
    const at = new Date();
    const body = await readLimitedBody(request, response, room);
    if (body === 'broken-off') return;
    if (body === 'too-long') return onPush(unreadPush(request, at));
    const push = await receive(request, { at, body });
    const passing: Promise<ForwardResult> | undefined = forward?.(push);
    const forwarded = await passing;
    onPush(forwarded ? { ...push, answer: forwarded.status, forwarded } : push);
    if (forwarded) response.writeHead(forwarded.status, forwarded.rawHeaders).end(forwarded.body);
    else answer(response, push.answer);
    room.left += body.length;
  });
  server.listen({ host, port });
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(
      `can't listen on ${host}:${port} (${code}); choose another --listen, such as 127.0.0.1:0`,
    );
  });
  const { address, port: taken, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A push whose body is too long is answered before it is read. */
function unreadPush({ method = '', url: path = '', rawHeaders }: IncomingMessage, at: Date): ReceivedPush {
  const unread = { body: Buffer.alloc(0), isTooLong: true, attempt: 1, verification: undefined, secrets: 0 };
  return { at, method, path, rawHeaders, answer: 413, ...unread };
}

function createReceive({ secrets, steps }: ReceiverSettings) {
  const countAttempt = createAttempts();
  let next = 0;
  return async (
    { method = '', url: path = '', rawHeaders, headers }: IncomingMessage,
    { at, body }: Pick<ReceivedPush, 'at' | 'body'>,
  ): Promise<ReceivedPush> => {
    const isPush = method === 'POST';
    const verification =
      isPush && secrets.length > 0
        ? await verifyWebhook({ body, headers, secret: secrets, ids: 'string' })
        : undefined;
    // Other methods, for example health checks, do not consume a step.
    const step = isPush ? steps[Math.min(next++, steps.length - 1)] : 405;
    return {
      ...{ at, method, path, rawHeaders, body, verification },
      attempt: countAttempt(path, body),
      secrets: secrets.length,
      answer: step ?? defaultAnswer(verification),
    };
  };
}

/** A receiver must reject a mismatch (interface document, section 6.4). */
function defaultAnswer(verification: ReceivedPush['verification']): number {
  return !verification || isSigned(verification) ? 200 : 401;
}

const mostRemembered = 10_000;

/** Pushes have no ids, so the same bytes to the same path count as another attempt. */
function createAttempts(): (path: string, body: Buffer) => number {
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

function answer(response: ServerResponse, step: AnswerStep): void {
  if (step === 'timeout') return;
  if (step === 'reset') return void response.socket?.resetAndDestroy();
  const body = step === 204 || step === 304 ? undefined : JSON.stringify({ received: step < 300 });
  response.writeHead(step, { 'Content-Type': 'application/json' }).end(body);
}
