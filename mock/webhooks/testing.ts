import { onTestFinished } from 'vitest';
import { openMock, openReceiver, profileWith } from '../testing/open-mock.ts';

export type Respond = Parameters<typeof openReceiver>[0];

export interface Subscribed {
  gaps?: Record<string, unknown>;
  /** The profile whose gaps `gaps` replaces. */
  name?: string;
  options?: Parameters<typeof openMock>[1];
  /** Of the subscription. */
  values?: Record<string, unknown>;
  /** Changes the URL of the subscription. */
  urlOf?: ((own: string) => string) | undefined;
}

/** A mock with a subscription to a receiver, until the test ends. */
export async function openSubscribed(
  respond: Respond = () => ({ status: 200 }),
  { gaps = {}, name, options, values, urlOf = (own) => own }: Subscribed = {},
) {
  const { url, received } = await openReceiver(respond);
  const mock = openMock(profileWith(gaps, name), options);
  onTestFinished(() => mock.app.close());
  const { perform, subscribe, harbourKey, control, service, clock } = mock;
  const wanted = { url: urlOf(`${url}/x`), events: ['content.update'], ...values };
  const { id } = (await subscribe(wanted)).values;
  const update = (times = 1) => {
    for (let count = 0; count < times; count++)
      control.causeEvent({ event: 'content.update', site_id: 101, data: { count } });
  };
  const startTest = () => perform('testSubscription', { siteID: 101, id }, harbourKey);
  /** Waits until the delivery has ended. */
  const sendTest = async () => {
    const answer = await startTest();
    await service.scheduler.settle();
    return answer;
  };
  const wait = (ms: number) => service.scheduler.advance(clock.time + ms);
  const deliveries = () => [...service.world.deliveries.values()];
  return { ...mock, url, received, id, update, startTest, sendTest, wait, deliveries };
}
