// app/webhooks/route.ts of a Next.js application. The same handler serves Hono, Bun, Deno and edge functions.
import { createFetchHandler } from 'sitepub/webhooks';

export const POST = createFetchHandler({
  secret: process.env.WEBHOOK_SECRET ?? '',
  async onEvent(event, { idempotencyKey }) {
    switch (event.event) {
      case 'publish.complete':
        console.log(`${idempotencyKey.slice(0, 8)} ${event.site_name}: ${event.data.pages} pages published`);
        break;
      case 'publish.failed':
        console.log(`${idempotencyKey.slice(0, 8)} ${event.site_name}: publish failed`);
        break;
      default:
        // Includes events that the service adds later.
        console.log(`${idempotencyKey.slice(0, 8)} ${event.site_name}: ${event.event}`);
    }
  },
});
