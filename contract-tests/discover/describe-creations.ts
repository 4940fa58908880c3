// What a discovery is going to create, in words: people are asked before it does.
import type { OperationId } from '../../openapi/operations.ts';
import { isGiven } from './call-operations.ts';
import type { Probe } from './discovery-probe.ts';

/** One line for each kind of resource. */
export function describeCreations(probe: Probe): string[] {
  const { options, listener } = probe;
  const given = (id: OperationId) => isGiven(probe, id);
  if (options.triesOnly) return [tried];
  const subscriptions = listener ? 40 : 20;
  const ending = given('deleteSubscription')
    ? 'deleted at the end'
    : 'left behind, since the profile does not say how they are deleted';
  const lines = [
    `up to ${subscriptions} webhook subscriptions on site ${options.siteId} (${ending})${listener ? ' and as many test pushes' : ''}`,
    (given('createSite') || given('importSite')) && given('deleteSite')
      ? 'up to 18 sites, deleted at the end'
      : 'up to 13 sites',
    given('publishSite') && 'up to 13 published versions',
    listener && given('createContent') && 'up to 3 contents',
    listener && given('submitForm') && 'a form submission',
    listener && given('createComment') && 'a comment',
    listener && given('failPublish') && 'a publish that fails',
    given('createKey') && given('deleteKey') && 'up to 6 API keys, deleted at once',
    options.learning && tried,
  ];
  return lines.filter((line) => typeof line === 'string');
}

const tried =
  'one of each thing that was learnt to be created, on a new site where that is possible, and deleted where it was learnt how';
