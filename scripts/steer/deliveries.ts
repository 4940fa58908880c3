import type { Schemas } from '../../openapi/generated/control-types.ts';
import { textFlag } from '../options/flags.ts';
import { followFlag, listAndFollow } from './list-and-follow.ts';
import { readPages } from './read-pages.ts';
import { deliveryLine, paintOutput } from './show-pushes.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub deliveries`: the log of pushes. */
export const deliveries = steerCommand({
  usage: 'sitepub deliveries',
  notes: `Shows each delivery by its latest attempt, the oldest first; with --json as a whole, with all attempts, headers and the body.

  sitepub deliveries --state given-up
  sitepub deliveries --follow`,
  flags: {
    follow: followFlag,
    state: textFlag('STATE', 'only those that are pending, delivered or given-up'),
    site: textFlag('ID', 'only those of a site'),
  },
  run: show,
});

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
