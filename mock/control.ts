// The control API. It stands beside the service, never under its base path, and is plain JSON without the envelope.
import type { FastifyInstance } from 'fastify';
import { statedValues } from '../openapi/profile.ts';
import { version } from '../openapi/version.ts';
import { basePath } from './paths.ts';
import type { Service } from './service.ts';

const calls = ['GET /_mock/health'];

export function serveControl(app: FastifyInstance, service: Service): void {
  app.get('/_mock/health', () => health(app, service));
}

/** Whether a path belongs to the control API. */
export function isControlPath(path: string): boolean {
  return path === '/_mock' || path.startsWith('/_mock/');
}

/** The answer to a control call that there is not. */
export function noSuchCall(method: string, path: string): { error: string } {
  return { error: `there is no ${method} ${path}; there is ${calls.join(', ')}` };
}

function health(app: FastifyInstance, { profile, operations }: Service): object {
  return {
    ready: true,
    version,
    base_path: basePath,
    ...(app.server.listening && { base_url: `${app.listeningOrigin}${basePath}` }),
    profile: { name: profile.name, values: statedValues(profile) },
    operations,
  };
}
