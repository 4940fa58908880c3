// Leads requests that name a world to it, before any of them is routed, counted or entered in a journal here.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type ApiError, malformedRequest, notKept, unknownPath } from '../http/api-errors.ts';
import { isControlPath } from '../http/paths.ts';
import { noPage } from '../http/render-envelope.ts';
import { openExchange, refuse } from '../request/exchange.ts';
import type { Mock } from '../service.ts';
import { readLongIds } from '../world/long-ids.ts';
import { mainWorld } from '../world/world.ts';
import type { NamedWorld, NamedWorlds } from './named-worlds.ts';
import { type Choice, chooseWorld } from './world-names.ts';

export type Gate = ReturnType<typeof createGate>;

/** Nothing of the interface is there. */
const gatePath = '/w';

/** To one side of the worlds; `main` is where a refusal is told. */
export function createGate(worlds: NamedWorlds, side: 'app' | 'controlApp', main: () => Mock) {
  const choices = new WeakMap<object, Choice>();

  function serve({ mock, responses }: NamedWorld, message: IncomingMessage, response: ServerResponse): void {
    responses.add(response);
    response.on('close', () => responses.delete(response));
    mock[side].server.emit('request', message, response);
  }

  return {
    /** Passes a request on before Fastify takes notice of it, which costs a fifth of a short call. False where Fastify has to; undefined for one that names no world. */
    passAtOnce(message: IncomingMessage, response: ServerResponse): boolean | undefined {
      const { url: originalUrl = '/', method, headers } = message;
      const choice = chooseWorld(originalUrl, headers);
      if (!choice) return undefined;
      if (choice.problem !== undefined || slashedOf(method, originalUrl)) return false;
      const world = worlds.find(choice.name);
      if (!world) return false;
      Object.assign(message, { originalUrl, url: readLongIds(choice.url) });
      serve(world, message, response);
      return true;
    },

    /** The path by which Fastify routes a request: its own, or one where it finds nothing. */
    rewriteUrl(message: Pick<IncomingMessage, 'url' | 'headers'>): string {
      const { url = '/', headers } = message;
      const choice = chooseWorld(url, headers);
      if (!choice) return readLongIds(url);
      if (choice.name === mainWorld && choice.problem === undefined) return readLongIds(choice.url);
      choices.set(message, choice);
      return gatePath;
    },

    /** Passes on or refuses a request for which Fastify finds nothing; undefined for one that names no other world. */
    answer(reply: FastifyReply): FastifyReply | Promise<FastifyReply> | undefined {
      const { raw, method, originalUrl } = reply.request;
      const choice = choices.get(raw);
      if (!choice) return undefined;
      const { name, url, problem } = choice;
      const refuseIt = (error: ApiError) => sendRefusal(main(), error, { url, reply });
      const pass = () => {
        const world = worlds.find(name);
        if (!world) return refuseIt(unknownPath(worlds.explainMissing(name)));
        const slashed = slashedOf(method, originalUrl);
        if (slashed) return reply.code(308).header('location', slashed).send();
        reply.hijack();
        raw.url = readLongIds(url);
        serve(world, raw, reply.raw);
        return reply;
      };
      if (problem !== undefined) return refuseIt(malformedRequest(problem));
      return worlds.load(name)?.then(pass, () => refuseIt(notKept())) ?? pass();
    },
  };
}

/** Where a page at /w/NAME is led to: without a slash at the end, relative links would lead out of the world. */
function slashedOf(method: string | undefined, url: string): string | undefined {
  if (method !== 'GET') return undefined;
  const [, name, query = ''] = /^\/w\/([^/?#]+)(\?.*)?$/s.exec(url) ?? [];
  return name && `${name}/${query}`;
}

/** Belongs to no world: it draws no random number and stands in no journal, but it is told where the mock tells what happens. `url` is within the world that is named. */
function sendRefusal(
  mock: Mock,
  error: ApiError,
  { url, reply }: { url: string; reply: FastifyReply },
): FastifyReply {
  const [path = ''] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/);
  if (isControlPath(path)) {
    const status = error.kind === 'unknown-path' ? 404 : error.kind === 'internal' ? 503 : 400;
    return reply.code(status).headers(noPage).send({ error: error.message });
  }
  const { method, headers, originalUrl } = reply.request;
  const exchange = openExchange(
    mock,
    { method, headers, url: originalUrl },
    undefined,
    randomBytes(8).toString('hex'),
  );
  const answer = refuse(mock, exchange, error);
  mock.events.emit('request', Object.assign(exchange, { answer }));
  const { status, body } = answer;
  return reply.code(status).header('date', mock.httpDate(exchange.at)).headers(answer.headers).send(body);
}
