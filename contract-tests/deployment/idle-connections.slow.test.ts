import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClient } from './http-client.ts';
import { createAuthority, hasOpenssl, stagingHost } from './testing/authority.ts';
import { startForwardProxy } from './testing/forward-proxy.ts';
import { startGateway } from './testing/gateway.ts';

test.skipIf(!hasOpenssl)(
  'a tunnel is used again soon, and no more when it was idle for five seconds (needs openssl)',
  async () => {
    const authority = createAuthority();
    const gateway = await startGateway({ authority });
    const proxy = await startForwardProxy({ ports: { [stagingHost]: gateway.port } });
    const connection = { ca: authority.ca, proxy: { url: proxy.url, variable: 'HTTPS_PROXY' } };
    const url = `https://${stagingHost}/x`;
    const send = createClient({ baseUrl: url, connection }, 5_000);
    const tunnels: number[] = [];
    for (const pauseMs of [0, 50, 6_000]) {
      await sleep(pauseMs);
      await send({ method: 'GET', url, headers: {}, body: undefined });
      tunnels.push(proxy.seen.length);
    }
    await proxy.close();
    await gateway.close();
    authority.remove();
    expect(tunnels).toEqual([1, 1, 2]);
  },
);
