// The API reference at /docs, which is not part of the traffic of the service.
import type { FastifyInstance } from 'fastify';
import { servePage } from '../http/serve-page.ts';
import type { Subject } from './describe.ts';

/** The documents are loaded on the first request, so that the start of the mock does not wait for them. */
export function serveDocs(app: FastifyInstance, read: () => Subject): void {
  servePage(app, '/docs', async (name) => {
    const { findDocument } = await import('./documents.ts');
    return findDocument(name, read());
  });
}
