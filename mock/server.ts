// The mock as it answers requests, with a socket or without one.
import type { FastifyInstance } from 'fastify';
import { operationsOf } from '../openapi/operations.ts';
import type { Profile } from '../openapi/profile.ts';
import { type Description, resolve } from '../openapi/resolve.ts';
import { createValidator } from '../openapi/validate.ts';
import { createApp, send } from './app.ts';
import type { Clock } from './clock.ts';
import { serveControl } from './control.ts';
import { createDemoWorld, type TenantAccess } from './demo-world.ts';
import { handlerOf } from './operations/index.ts';
import { toFastifyPath } from './paths.ts';
import { handleRequest, type Route } from './pipeline.ts';
import type { Log, Service } from './service.ts';
import { createDispatcher } from './webhooks/dispatch.ts';

export interface MockOptions {
  profile: Profile;
  seed: number;
  clock: Clock;
  log: Log;
  requestTimeout?: number;
}

export interface Mock {
  description: Description;
  app: FastifyInstance;
  service: Service;
  tenants: TenantAccess[];
}

export function createMock({ profile, seed, clock, log, requestTimeout = 30_000 }: MockOptions): Mock {
  const description = resolve(profile);
  const routes = operationsOf(description).flatMap((operation): Route[] => {
    const handler = handlerOf(operation.id);
    return handler ? [{ operation, handler }] : [];
  });
  const operations = routes.map(({ operation }) => operation);
  const { world, tenants } = createDemoWorld(seed, clock.now());
  // The dispatcher gets the very object, so that a world put in its stead is seen by all.
  const core = {
    profile,
    world,
    clock,
    log,
    validate: createValidator(description),
    operations: operations.map(({ id }) => id),
  };
  const service = Object.assign(core, { dispatcher: createDispatcher(core) });
  const app = createApp(service, { operations, requestTimeout });
  for (const route of routes) serve(app, service, route);
  serveControl(app, service);
  return { description, app, service, tenants };
}

function serve(app: FastifyInstance, service: Service, route: Route): void {
  app.route({
    method: route.operation.method,
    url: toFastifyPath(route.operation.path),
    handler: async (request, reply) => send(reply, await handleRequest(service, route, request)),
  });
}
