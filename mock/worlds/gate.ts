// Passes a request for a named world to that world before main routes, counts or journals it.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type ApiError, malformedRequest, notPersisted, unknownPath } from '../http/api-errors.ts';
import { isControlPath } from '../http/paths.ts';
import { noPage } from '../http/render-envelope.ts';
import { openExchange, refuse } from '../request/exchange.ts';
import type { Mock } from '../service.ts';
import { readLongIds } from '../world/long-ids.ts';
import { mainWorld } from '../world/world.ts';
import type { NamedWorld, NamedWorlds } from './named-worlds.ts';
import { type Choice, chooseWorld } from './world-names.ts';

export type Gate = ReturnType<typeof createGate>;

/** A path without routes, so that Fastify's not-found handler calls `answer`. */
const gatePath = '/w';

export function createGate(worlds: NamedWorlds, side: 'app' | 'controlApp', main: () => Mock) {
  const choices = new WeakMap<object, Choice>();

  function serve({ mock, responses }: NamedWorld, message: IncomingMessage, response: ServerResponse): void {
    responses.add(response);
    response.on('close', () => responses.delete(response));
    mock[side].server.emit('request', message, response);
  }

  return {
    /** Bypasses main's Fastify, which costs a fifth of a short call. Returns false if Fastify must answer, undefined if no world is named. */
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

    /** Redirects requests for other worlds to `gatePath`, and drops the prefix of main. */
    rewriteUrl(message: Pick<IncomingMessage, 'url' | 'headers'>): string {
      const { url = '/', headers } = message;
      const choice = chooseWorld(url, headers);
      if (!choice) return readLongIds(url);
      if (choice.name === mainWorld && choice.problem === undefined) return readLongIds(choice.url);
      choices.set(message, choice);
      return gatePath;
    },

    /** Passes on or refuses a redirected request; undefined for any other. */
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
      return worlds.load(name)?.then(pass, () => refuseIt(notPersisted())) ?? pass();
    },
  };
}

/** Relative links of a page at /w/NAME would leave the world, so it redirects to /w/NAME/. */
function slashedOf(method: string | undefined, url: string): string | undefined {
  if (method !== 'GET') return undefined;
  const [, name, query = ''] = /^\/w\/([^/?#]+)(\?.*)?$/s.exec(url) ?? [];
  return name && `${name}/${query}`;
}

/** The request belongs to no world, so it draws no random number and isn't journaled. `url` is relative to the named world. */
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
