import { compared, measureGrown, type Subject } from '../grown-mocks.ts';
import { ownNumber } from '../grown-world.ts';
import { curvesOf, worstFigure } from '../growth.ts';
import type { Outcome, Row, Scale } from '../row.ts';

/** A page of 100 of each list of the control API, among few and many other entries. */
export const growthViews: Row = { id: 'growth-views', measure };

const page = 100;
const own = `/sites/${ownNumber}`;
const paths = [
  // A page that is full among few entries, too.
  '/sites?limit=10',
  `${own}/contents`,
  `${own}/submissions`,
  `${own}/comments`,
  `${own}/publications`,
  `${own}/subscriptions`,
  own,
  '/deliveries',
  '/deliveries?order=newest',
  `/deliveries?site_id=${ownNumber}`,
  '/requests',
  '/requests?order=newest',
  '/requests?operation=createSubscription',
];

const subjects: readonly Subject[] = paths.map((path) => ({
  name: path.replace(String(ownNumber), 'ID'),
  ask: 'views',
  about: { path },
}));

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const [rounds, amount] = isQuick ? [3, 5] : [15, 20];
  const measured = await measureGrown({ rounds, amount, own: page, subjects });
  const figure = worstFigure(measured, compared, { noun: 'other entries of each kind', budget: 1.5 });
  return { figures: [figure], rounds: measured, curves: curvesOf(measured) };
}
