// The route is called as Next.js calls it: with a Request, for a Response.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const secret = 'a signing secret';
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const caller = `
  const { POST } = await import(process.env.ROUTE);
  const headers = JSON.parse(process.env.HEADERS);
  const request = new Request('https://example.com/webhooks', { method: 'POST', body: process.env.BODY, headers });
  const answer = await POST(request);
  console.log(answer.status, await answer.text());
`;

test.for([
  ['publish.complete', { message: 'done', pages: 12, version: 7 }, '12 pages published'],
  ['publish.failed', {}, 'publish failed'],
  ['site.archived', {}, 'site.archived'],
] as const)('takes %s', async ([event, data, want]) => {
  const body = JSON.stringify({
    event,
    timestamp: '2026-01-02T03:04:05Z',
    site_id: 1,
    site_name: 'Café',
    data,
  });
  expect(await call(body, sign(body))).toMatch(
    new RegExp(`^[\\da-f]{8} Café: ${want}\n200 {"received":true}\n$`),
  );
});

test('rejects a push that was signed with another secret', async () => {
  expect(await call('{}', sign('{}', 'another'))).toMatch(/^401 {"error":"mismatch",/);
});

function sign(body: string, key = secret): object {
  return { 'x-webhook-signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}` };
}

async function call(body: string, headers: object): Promise<string> {
  const args = ['--import', pathOf('../use-checkout.ts'), '--input-type=module', '--eval', caller];
  const ROUTE = new URL('route.ts', import.meta.url).href;
  const env = { ...process.env, WEBHOOK_SECRET: secret, ROUTE, BODY: body, HEADERS: JSON.stringify(headers) };
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}
