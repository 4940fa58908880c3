// The mock without a socket, to measure its pushes alone. Its argument is their target URL.
import { createMock } from '../../../mock/server/create-mock.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { withPending } from '../pending-pushes.ts';
import { readArgument, serve } from '../serve.ts';
import { measureTime } from '../timed.ts';

const site = { id: 1, name: '海港咖啡馆' };
const { service, control } = createMock({
  profile: loadProfile('default'),
  seed: 1,
  clock: 'real',
  log: (entry) => console.error(entry),
  world: {
    tenants: [
      {
        name: 'Harbour Café',
        sites: [
          {
            ...site,
            subscriptions: [
              {
                url: String(readArgument()),
                events: ['form.submit'],
                channel: 'custom',
                secret: 'a signing secret',
              },
            ],
          },
        ],
      },
    ],
  },
});

const data = { id: 1, form: 'reservation', fields: { 姓名: '李雷', 人数: 4, 时间: '周六 19:00' } };

function emit(count: number): void {
  for (let number = 0; number < count; number++)
    service.dispatcher.emit({ event: 'form.submit', at: service.clock.now(), site, data });
}

serve(
  {},
  {
    /** Sends `count` pushes, and waits for their answers. */
    push: (count) =>
      measureTime(async () => {
        emit(Number(count));
        await service.scheduler.settle();
      }),
    /** The same with all retries, for which the clock is moved. */
    retry: (count) =>
      measureTime(async () => {
        emit(Number(count));
        await service.scheduler.settle();
        await control.advance('PT36M');
      }),
    /** Begins with so many pushes that wait for later. */
    wait: async (count) => void (await control.restore(withPending(await control.world(), Number(count)))),
  },
);
