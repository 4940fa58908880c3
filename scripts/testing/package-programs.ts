// Programs that use the entrances of the package: the light ones need no types but their own, not even those of Node.
export const programOptions = {
  'light.ts': { lib: ['es2023', 'dom', 'dom.iterable'], skipDefaultLibCheck: true, types: [] },
  'heavy.ts': { lib: ['es2023'], skipLibCheck: true },
};

export const programs = {
  'light.ts': `
import { type EventName, version } from 'sitepub';
import { BusinessError, createClient } from 'sitepub/client';
import type { paths, WebhookEvent } from 'sitepub/types';
import { verifyWebhook } from 'sitepub/webhooks';

const client = createClient<paths>({ baseUrl: 'https://host/api/v1', apiKey: 'sp_1' });
const site: number | undefined = (await client.GET('/tenant/sites')).list[0]?.site_id;
const name: EventName = 'publish.complete';
const pages = (event: WebhookEvent) => (event.event === name ? event.data : undefined);
const codeOf = (error: unknown) => error instanceof BusinessError ? error.code : 0;
// @ts-expect-error: there is no such path
await client.GET('/tenant/nothing');
export { codeOf, pages, site, verifyWebhook, version };
`,
  'heavy.ts': `
import { startMock } from 'sitepub/mock';
import { createExpressHandler } from 'sitepub/webhooks/express';
import { fastifyWebhooks } from 'sitepub/webhooks/fastify';

const mock = await startMock({ clock: 'manual' });
const now: string = (await mock.control.advance('PT1M')).now;
// @ts-expect-error: there is no such clock
await startMock({ clock: 'fast' });
export { createExpressHandler, fastifyWebhooks, now };
`,
};
