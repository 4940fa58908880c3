import type { OperationId } from '../../../openapi/operations.ts';
import { compared, measureGrown, type Subject } from '../grown-mocks.ts';
import { curvesOf, worstFigure } from '../growth.ts';
import type { Outcome, Row, Scale } from '../row.ts';
import type { GrownCalls } from '../servers/grown-server.ts';

/** Each operation of the service among few and many entries of other tenants. */
export const growthCalls: Row = { id: 'growth-calls', measure };

/** Those that read come first, those that take away what they have made come last. */
const operations: readonly (OperationId | Omit<GrownCalls, 'amount'>)[] = [
  'listSites',
  'getSite',
  'listContents',
  'getContent',
  'listSubmissions',
  'listComments',
  'getPublish',
  'listKeys',
  'listSubscriptions',
  'listDeliveries',
  'askAi',
  'refresh',
  'login',
  'updateContent',
  'publishContent',
  'publishSite',
  'failPublish',
  'submitForm',
  'createComment',
  'testSubscription',
  'createContent',
  'createSubscription',
  'createSite',
  'importSite',
  { operation: 'deleteContent', takes: { from: 'createContent', as: 'contentID' } },
  { operation: 'deleteSubscription', takes: { from: 'createSubscription', as: 'subscriptionID' } },
  { operation: 'deleteSite', takes: { from: 'createSite', as: 'siteID' } },
];

const subjects: readonly Subject[] = operations.map((one) => {
  const about = typeof one === 'string' ? { operation: one } : one;
  return { name: about.operation, ask: 'calls', about };
});

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const [rounds, amount] = isQuick ? [3, 50] : [15, 200];
  const measured = await measureGrown({ rounds, amount, own: 3, subjects });
  const figure = worstFigure(measured, compared, { noun: 'foreign entries of each kind', budget: 1.2 });
  return { figures: [figure], rounds: measured, curves: curvesOf(measured) };
}
