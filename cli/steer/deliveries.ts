import type { Schemas } from '../../openapi/generated/control-types.ts';
import { listAndFollow } from './list-and-follow.ts';
import { readPages } from './read-pages.ts';
import { deliveryLine, paintOutput } from './show-pushes.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock deliveries`: the log of pushes. */
export const deliveries = steerCommand(show);

function show(steering: Steering): Promise<number> {
  const { mock, given } = steering;
  const [state, site] = [given.text('state'), given.text('site')];
  // As they were typed: the mock says what is wrong with them.
  const filter: object = { state, site_id: site };
  const paint = paintOutput();
  return listAndFollow<Schemas['Delivery']>(steering, {
    list: () =>
      readPages(mock, 'deliveries', (page) => mock.GET('/deliveries', { query: { ...filter, ...page } })),
    event: 'delivery',
    isWanted: (one) => (state ?? one.state) === one.state && (site ?? `${one.site_id}`) === `${one.site_id}`,
    keyOf: ({ id, attempts }) => `${id} ${attempts.length}`,
    toLines: (delivery) => [deliveryLine(delivery, paint)],
    none: 'there are no deliveries',
  });
}
