// Pushes to the URL in the argument: by the mock without a socket, and by a bare node:http agent that posts the same bytes.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createMock } from '../../../mock/server/create-mock.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { subscription } from '../calls.ts';
import { readArgument, serve } from '../server.ts';

export interface Posts {
  headers: Record<string, string>;
  body: string;
  count: number;
}

const url = String(readArgument());
const site = { id: 1, name: '海港咖啡馆' };
const subscriptions = [{ ...subscription, url, events: ['form.submit'] as const }];
const mock = createMock({
  profile: loadProfile('default'),
  seed: 1,
  clock: 'real',
  log: (entry) => console.error(entry),
  beginning: { tenants: [{ name: 'Harbour Café', sites: [{ ...site, subscriptions }] }] },
});
const data = { id: 1, form: 'reservation', fields: { 姓名: '李雷', 人数: 4, 时间: '周六 19:00' } };

/** The limit of the mock for one target. */
const concurrency = 16;
const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

async function post({ headers, body, count }: Posts): Promise<void> {
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const [response] = await once(request(url, { method: 'POST', headers, agent }).end(body), 'response');
      await once(response.resume(), 'end');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

serve('', {
  post: (posts) => post(posts as Posts),
  async push(count) {
    for (let number = 0; number < Number(count); number++)
      mock.dispatcher.emit({ event: 'form.submit', at: mock.clock.now(), site, data });
    await mock.scheduler.settle();
  },
  retry: async () => void (await mock.control.advance('PT36M')),
});
