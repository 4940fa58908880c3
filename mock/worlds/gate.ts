// Leads requests that name a world to it, before any of them is routed, counted or entered in a journal here.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiError, malformedRequest, unknownPath } from '../http/api-errors.ts';
import type { JournalExchange } from '../http/journal.ts';
import { notKept } from '../http/not-kept.ts';
import { isControlPath } from '../http/paths.ts';
import { noPage, renderFailure } from '../http/render-envelope.ts';
import type { Mock } from '../service.ts';
import { readLongIds } from '../world/long-ids.ts';
import { mainWorld } from '../world/main-world.ts';
import { type Choice, chooseWorld } from './choose-world.ts';

export interface Gate {
  /** Passes a request on before Fastify takes notice of it, which costs a fifth of a short call. False where there is more to do than that. */
  passAtOnce(request: IncomingMessage, response: ServerResponse): boolean;
  /** The path by which Fastify routes a request: its own, or that of the gate. */
  rewriteUrl(request: Pick<IncomingMessage, 'url' | 'headers'>): string;
  /** Has the world in memory that a request names, if there is one. Undefined: there is nothing to wait for. */
  prepare(request: FastifyRequest): Promise<void> | undefined;
  /** Passes a request on, or refuses it; undefined for one that names no other world. */
  passOn(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined;
}

interface GateOptions {
  /** Answers requests to a world; undefined if there is none of that name. */
  find(name: string): ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Has a world in memory that a store keeps; undefined: there is nothing to wait for. Throws a StoreError if that can't be learned. */
  load(name: string): Promise<void> | undefined;
  /** Why there is none. */
  explainMissing(name: string): string;
  /** Of main. */
  mock(): Mock;
}

/** What the gate alone is routed by; nothing of the interface is there. */
const gatePath = '/w';

export function createGate({ find, load, explainMissing, mock }: GateOptions): Gate {
  const choices = new WeakMap<object, Choice>();
  /** Those of which it can't be learned whether there is such a world. */
  const failed = new WeakSet<object>();
  return {
    passAtOnce(request, response) {
      const { url: originalUrl = '/', headers } = request;
      const choice = chooseWorld(originalUrl, headers);
      if (!choice || choice.problem !== undefined) return false;
      const answer = find(choice.name);
      if (!answer || isBarePrefix({ method: request.method, originalUrl })) return false;
      Object.assign(request, { originalUrl, url: readLongIds(choice.url) });
      answer(request, response);
      return true;
    },

    rewriteUrl(request) {
      const { url = '/', headers } = request;
      const choice = chooseWorld(url, headers);
      if (!choice) return readLongIds(url);
      if (choice.name === mainWorld && choice.problem === undefined) return readLongIds(choice.url);
      choices.set(request, choice);
      return gatePath;
    },

    prepare({ raw }) {
      const choice = choices.get(raw);
      if (!choice || choice.problem !== undefined) return undefined;
      return load(choice.name)?.catch(() => void failed.add(raw));
    },

    passOn(request, reply) {
      const { raw } = request;
      const choice = choices.get(raw);
      if (!choice) return undefined;
      const { name, url, problem } = choice;
      const answer = problem === undefined ? find(name) : undefined;
      if (!answer) {
        const missing = () =>
          failed.has(raw) ? notKept() : unknownPath(request.method, url, explainMissing(name));
        const error = problem === undefined ? missing() : malformedRequest(problem);
        return refuse(mock(), error, { url, request, reply });
      }
      if (isBarePrefix(request)) return leadToSlash(request, reply);
      reply.hijack();
      raw.url = readLongIds(url);
      answer(raw, reply.raw);
      return reply;
    },
  };
}

/** Serves what the gate leads elsewhere. */
export function openGate(app: FastifyInstance, gate: Gate): void {
  app.all(gatePath, async (request, reply) => {
    await gate.prepare(request);
    const passed = gate.passOn(request, reply);
    if (passed) return passed;
    reply.callNotFound();
    return reply;
  });
}

/** Beneath /w/NAME without a slash, relative links would lead out of the world. */
function isBarePrefix({
  method,
  originalUrl,
}: Pick<FastifyRequest, 'originalUrl'> & { method?: string | undefined }): boolean {
  return method === 'GET' && /^\/w\/[^/?#]+(\?|$)/.test(originalUrl);
}

function leadToSlash({ originalUrl }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [, name, query = ''] = /^\/w\/([^/?#]+)(\?.*)?$/s.exec(originalUrl) ?? [];
  return reply.code(308).header('location', `${name}/${query}`).send();
}

interface Refused {
  /** Within the world that is named. */
  url: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Belongs to no world: it draws no random number and stands in no journal, but it is told where the mock tells what happens. */
function refuse(mock: Mock, error: ApiError, { url, request, reply }: Refused): FastifyReply {
  const [path = ''] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/);
  if (isControlPath(path)) {
    const status = error.kind === 'unknown-path' ? 404 : error.kind === 'internal' ? 503 : 400;
    return reply.code(status).headers(noPage).send({ error: error.message });
  }
  const traceId = randomBytes(8).toString('hex');
  const { status, headers, body } = renderFailure(mock.profile, error, traceId);
  const exchange: JournalExchange = {
    at: mock.clock.now(),
    startedAt: performance.now(),
    method: request.method,
    url: request.originalUrl,
    headers: request.headers,
    operation: undefined,
    traceId,
    tenantId: undefined,
    who: undefined,
    requestBody: undefined,
    refusal: error.message,
    forcedBy: undefined,
    delayReason: undefined,
    answer: { status, headers, body },
    durationMs: 0,
  };
  mock.events.emit('request', exchange);
  return reply.code(status).header('date', mock.httpDate(exchange.at)).headers(headers).send(body);
}
