// The API reference is not part of the service: its requests are not in the journal.
import type { FastifyInstance } from 'fastify';
import { servePage } from '../http/serve-page.ts';
import type { Subject } from './describe.ts';

/** Imports the documents on the first request, to keep the mock's start fast. */
export function serveDocs(app: FastifyInstance, read: () => Subject): void {
  servePage(app, '/docs', async (name) => {
    const { findDocument } = await import('./documents.ts');
    return findDocument(name, read());
  });
}
