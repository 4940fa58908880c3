// A webhook receiver in Express. Start it with WEBHOOK_SECRET set to the signing secret of the subscription.
import express from 'express';
import type { WebhookEvent } from 'sitepub/webhooks';
import { createExpressHandler } from 'sitepub/webhooks/express';

function createApp() {
  // In a real receiver, a table with a unique key, so that handled events are known after a restart too.
  const handled = new Set<string>();
  const app = express();
  // Before express.json(), since the signature covers the received bytes.
  app.post(
    '/webhooks',
    createExpressHandler({
      secret: process.env.WEBHOOK_SECRET ?? '',
      onEvent(event, { idempotencyKey }) {
        if (handled.has(idempotencyKey)) return;
        handled.add(idempotencyKey);
        // Work of more than a second or two belongs in a queue, since the sender waits for the answer.
        console.log(`${event.site_name}: ${describe(event)}`);
      },
      onRejected: ({ reason, message }) => console.log(`rejected, ${reason}: ${message}`),
    }),
  );
  app.use(express.json());
  app.post('/echo', (request, response) => void response.json(request.body));
  return app;
}

function describe(event: WebhookEvent): string {
  return event.event === 'publish.complete' ? `${event.data.pages} pages published` : event.event;
}

const server = createApp().listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const { port } = Object(server.address());
  console.log(`listening on http://127.0.0.1:${port}/webhooks`);
});
