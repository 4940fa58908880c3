// A mock with a subscription to a receiver, for the tests of what it pushes.
import { onTestFinished } from 'vitest';
import { openMock, openReceiver, profileWith, subscriptionRequest } from '../testing/open-mock.ts';

export type Respond = Parameters<typeof openReceiver>[0];

export interface Subscribed {
  gaps?: Record<string, unknown>;
  /** The profile that these gaps are different from. */
  name?: string;
  options?: Parameters<typeof openMock>[1];
  /** Values of the subscription. */
  values?: Record<string, unknown>;
  /** Where it leads instead. */
  urlOf?: ((own: string) => string) | undefined;
}

/** The receiver answers with `respond`, and both are closed when the test ends. */
export async function openSubscribed(
  respond: Respond = () => ({ status: 200 }),
  { gaps = {}, name, options, values, urlOf = (own) => own }: Subscribed = {},
) {
  const { url, received } = await openReceiver(respond);
  const mock = openMock(profileWith(gaps, name), options);
  onTestFinished(() => mock.app.close());
  const { perform, harbourKey, control, service, clock } = mock;
  const request = subscriptionRequest({ url: urlOf(`${url}/x`), events: ['content.update'], ...values });
  const { id } = (await perform('createSubscription', request, harbourKey)).values;
  const update = (times = 1) => {
    for (let count = 0; count < times; count++)
      control.causeEvent({ event: 'content.update', site_id: 101, data: { count } });
  };
  const startTest = () => perform('testSubscription', { siteID: 101, id }, harbourKey);
  /** Waits for the delivery. */
  const sendTest = async () => {
    const answer = await startTest();
    await service.scheduler.settle();
    return answer;
  };
  const wait = (ms: number) => service.scheduler.advance(clock.time + ms);
  const deliveries = () => [...service.world.deliveries.values()];
  return { ...mock, url, received, id, update, startTest, sendTest, wait, deliveries };
}
