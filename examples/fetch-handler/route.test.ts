// The route is called as Next.js calls it: with a Request, for a Response.
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runProgram } from '../../scripts/testing/run-program.ts';

const secret = 'a signing secret';
const route = new URL('route.ts', import.meta.url).href;
const checkout = fileURLToPath(new URL('../use-checkout.ts', import.meta.url));

test('takes each event, and rejects a push that was signed with another secret', async () => {
  const rows = [
    ['publish.complete', { message: 'done', pages: 12, version: 7 }, '12 pages published'],
    ['publish.failed', {}, 'publish failed'],
    ['site.archived', {}, 'site.archived'],
  ] as const;
  const bodies = rows.map(([event, data]) =>
    JSON.stringify({ event, timestamp: '2026-01-02T03:04:05Z', site_id: 1, site_name: 'Café', data }),
  );
  const pushes = bodies.map((body) => ({ body, headers: sign(body) }));
  const { stdout } = await send([...pushes, { body: '{}', headers: sign('{}', 'another') }]);
  const taken = rows.map(([, , want]) => `[\\da-f]{8} Café: ${want}\n200 {"received":true}\n`);
  expect(stdout).toMatch(new RegExp(`^${taken.join('')}401 {"error":"mismatch",.*\n$`));
});

function sign(body: string, key = secret): object {
  return { 'x-webhook-signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}` };
}

function send(pushes: readonly object[]) {
  const caller = `
    const { POST } = await import('${route}');
    for (const push of ${JSON.stringify(pushes)}) {
      const answer = await POST(new Request('https://example.com/webhooks', { method: 'POST', ...push }));
      console.log(answer.status, await answer.text());
    }`;
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  return runProgram(process.execPath, ['--import', checkout, '--input-type=module', '--eval', caller], {
    env,
  });
}
