// Routes calls straight from node:http, since Fastify's request, reply and hooks take a third of a short call.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonIn } from '../../openapi/json.ts';
import { type Operation, readLayout, writeQuery, writeRequest } from '../../openapi/operations.ts';
import { fillPath, placeholdersOf } from '../../openapi/template.ts';
import type { CallService } from '../control/controlled-mock.ts';
import { basePath, toFastifyPath } from '../http/paths.ts';
import type { Answer } from '../http/render-envelope.ts';
import { handlerOf } from '../operations/index.ts';
import { type Incoming, serveRequest } from '../request/pipeline.ts';
import { createRoute, type Route, type SharedRoutes } from '../request/route.ts';
import type { Mock } from '../service.ts';
import { readLongIds, readLongJson, showLongIds } from '../world/long-ids.ts';
import { type DirectRoute, send } from './app.ts';

export function routesOf(mock: Mock, operations: readonly Operation[]): SharedRoutes[] {
  const routes = operations.map((operation) => createRoute(mock, operation, handlerOf(operation.id)));
  const shared = Map.groupBy(routes, ({ operation: { method, path } }) => `${method} ${path}`);
  return [...shared.values()] as [Route, ...Route[]][];
}

export function serveOperations(app: FastifyInstance, mock: Mock, shared: readonly SharedRoutes[]): void {
  for (const routes of shared) {
    const answer = ({ raw: message, params }: FastifyRequest): Promise<Answer> =>
      new Promise((respond) =>
        serveRequest(mock, { routes, message, params: params as Record<string, string>, respond }),
      );
    const [{ operation }] = routes;
    app.route({
      method: operation.method,
      url: toFastifyPath(operation.path),
      handler: async (request, reply) => send(reply, mock, await answer(request)),
    });
  }
}

export function createDirectRoute(mock: Mock, shared: readonly SharedRoutes[]): DirectRoute {
  const root = createTree(shared);
  return (message, response) => {
    // Fastify closes the connection with each answer of a mock that is closing.
    if (mock.isClosing) return false;
    const url = readLongIds(message.url ?? '');
    const found = find(root, message.method ?? '', url);
    if (!found) return false;
    message.url = url;
    const { routes, params } = found;
    serveRequest(mock, {
      routes,
      message,
      params,
      respond: (answer) => sendDirectly(mock, response, answer),
    });
    return true;
  };
}

function sendDirectly({ clock, httpDate }: Mock, response: ServerResponse, answer: Answer): void {
  const { status, headers, encoding } = answer;
  const text = showLongIds(answer.body);
  const body = encoding ? Buffer.from(text, encoding) : text;
  const length = Buffer.byteLength(body);
  const list = ['date', httpDate(clock.now())];
  const isEmpty = status === 204;
  for (const name in headers) if (!isEmpty || name !== 'content-type') list.push(name, headers[name] ?? '');
  if (!isEmpty) list.push('content-length', String(length));
  response.writeHead(status, list);
  // Node writes pure ASCII texts faster as latin1.
  if (typeof body === 'string' && length === body.length) response.end(body, 'latin1');
  else response.end(body);
}

interface Tree {
  literals: Map<string, Tree>;
  /** What follows a placeholder. */
  value: Tree | undefined;
  /** Whether a segment here mixes text with a placeholder, which only Fastify's router can match. */
  hasParts: boolean;
  ends: Map<string, { routes: SharedRoutes; names: readonly string[] }>;
}

function createTree(shared: readonly SharedRoutes[]): Tree {
  const root = newTree();
  for (const routes of shared) {
    const { method, path } = routes[0].operation;
    growTree(root, path.slice(1).split('/'))?.ends.set(method, { routes, names: placeholdersOf(path) });
  }
  return root;
}

function newTree(): Tree {
  return { literals: new Map(), value: undefined, hasParts: false, ends: new Map() };
}

function growTree(tree: Tree, [segment, ...others]: readonly string[]): Tree | undefined {
  if (segment === undefined) return tree;
  const isValue = /^\{\w+\}$/.test(segment);
  tree.hasParts ||= !isValue && segment.includes('{');
  if (tree.hasParts) return undefined;
  const next = (isValue ? tree.value : tree.literals.get(segment)) ?? newTree();
  if (isValue) tree.value = next;
  else tree.literals.set(segment, next);
  return growTree(next, others);
}

/** Leaves to Fastify's router what needs decoding, or backtracking from a literal segment to a placeholder. */
function find(root: Tree, method: string, url: string): Pick<Incoming, 'routes' | 'params'> | undefined {
  if (!url.startsWith(`${basePath}/`)) return undefined;
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const values: string[] = [];
  let tree: Tree | undefined = root;
  // Does not split the path, since each call passes here.
  for (let start = basePath.length + 1, end = 0; end >= 0; start = end + 1) {
    end = path.indexOf('/', start);
    const segment = path.slice(start, end < 0 ? undefined : end);
    const literal: Tree | undefined = tree.literals.get(segment);
    if (!literal && (tree.hasParts || !/^[^#%;]+$/.test(segment))) return undefined;
    if (!literal) values.push(segment);
    tree = literal ?? tree.value;
    if (!tree) return undefined;
  }
  const found = tree.ends.get(method);
  if (!found) return undefined;
  const params: Record<string, string> = {};
  for (let index = 0; index < values.length; index++) params[found.names[index] ?? ''] = values[index] ?? '';
  return { routes: found.routes, params };
}

export function createServiceCaller(app: FastifyInstance, operations: readonly Operation[]): CallService {
  return (id) => {
    const operation = operations.find((one) => one.id === id);
    if (!operation) return undefined;
    return {
      auth: operation.auth,
      async call(values, token) {
        const payload = writeRequest(operation, values);
        // biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback returns a promise
        const { statusCode: status, payload: body } = await app.inject({
          method: operation.method as 'POST',
          url: basePath + fillPath(operation.path, values) + writeQuery(operation, values),
          headers: {
            'user-agent': 'sitepub console',
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
          ...(payload !== undefined && { payload: payload as object }),
        });
        return { status, body, values: readLayout(operation.success.layout, jsonIn(readLongJson(body))) };
      },
    };
  };
}
