// Answers calls of the service straight from node:http: Fastify's request, reply and hooks cost a third of a short call. What is out of the ordinary is left to Fastify.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../../openapi/operations.ts';
import { basePath } from '../http/paths.ts';
import type { Answer } from '../http/render-envelope.ts';
import { handlerOf } from '../operations/index.ts';
import type { Route } from '../request/active-request.ts';
import { serveRequest } from '../request/pipeline.ts';
import type { Mock } from '../service.ts';
import { readLongIds, showLongIds } from '../world/long-ids.ts';
import { defaultSteps } from './create-core.ts';

/** Answers a request, or returns false where Fastify has to. */
export type DirectRoute = (message: IncomingMessage, response: ServerResponse) => boolean;

interface Found {
  route: Route;
  params: Readonly<Record<string, string>>;
}

/** Longer addresses are none of a usual caller. */
const longestUrl = 2048;

export function createDirectRoute(mock: Mock, operations: readonly Operation[]): DirectRoute {
  const find = createFinder(operations);
  // Both are chosen when the mock begins.
  const isVaried = mock.variations !== undefined || Object.keys(mock.settings.habits).length > 0;
  if (isVaried) return () => false;
  return (message, response) => {
    const { method = '', headers } = message;
    const url = readLongIds(message.url ?? '');
    if (url.length > longestUrl || headers.prefer !== undefined || !isOrdinary(mock)) return false;
    const found = find(method, url);
    if (!found) return false;
    message.url = url;
    serveRequest(mock, { message, ...found }, (answer) => send(mock, response, answer));
    return true;
  };
}

/** Whether answers are those of the service alone, in headers that need no care. */
function isOrdinary(mock: Mock): boolean {
  const { overrides, faults } = mock.world;
  // Steps that faults have changed are made when they are asked for.
  return overrides.size === 0 && faults.length === 0 && mock.steps === defaultSteps && !mock.isClosing;
}

function send(
  { clock, httpDate }: Mock,
  response: ServerResponse,
  { status, headers, ...answer }: Answer,
): void {
  const body = showLongIds(answer.body);
  const list = ['date', httpDate(clock.now())];
  for (const name in headers) list.push(name, headers[name] ?? '');
  list.push('content-length', String(Buffer.byteLength(body)));
  response.writeHead(status, list);
  response.end(body);
}

type Finder = (method: string, url: string) => Found | undefined;

/** Finds operations whose address only they have. */
function createFinder(operations: readonly Operation[]): Finder {
  const literals = new Map<string, Found>();
  const patterns: { method: string; pattern: RegExp; route: Route }[] = [];
  for (const operation of operations) {
    const { method, path, success } = operation;
    const isAlone = operations.filter((other) => meet(operation, other)).length === 1;
    if (!isAlone || !hasBody(success.status)) continue;
    const route = { operation, handler: handlerOf(operation.id) };
    if (!path.includes('{')) literals.set(`${method} ${basePath}${path}`, { route, params: {} });
    else patterns.push({ method, pattern: patternOf(path), route });
  }
  return (method, url) => {
    const literal = literals.get(`${method} ${withoutQuery(url)}`);
    if (literal) return literal;
    for (const { method: own, pattern, route } of patterns) {
      const params = own === method ? pattern.exec(url)?.groups : undefined;
      if (params) return { route, params };
    }
    return undefined;
  };
}

/** Whether some address belongs to both. */
function meet(one: Operation, other: Operation): boolean {
  const [segments, others] = [one.path.split('/'), other.path.split('/')];
  const isOpen = (segment = '') => segment.includes('{');
  return (
    one.method === other.method &&
    segments.length === others.length &&
    segments.every((segment, index) => isOpen(segment) || isOpen(others[index]) || segment === others[index])
  );
}

function hasBody(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}

function withoutQuery(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
}

/** Values that are encoded, or only a part of their segment, are left to the router. */
function patternOf(template: string): RegExp {
  const segments = template.split('/').map((segment) => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name !== undefined) return `(?<${name}>[^/?#%;]+)`;
    return segment.includes('{') ? '(?!)' : segment.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${basePath}${segments.join('/')}(?:\\?[^#]*)?$`);
}
