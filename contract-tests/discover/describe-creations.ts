// What a discovery is going to create, in words: people are asked before it does.
import type { OperationId } from '../../openapi/operations.ts';
import { isGiven } from './ask/operations.ts';
import { type Probe, receiverOf } from './probe.ts';

/** One line for each kind of resource. */
export function describeCreations(probe: Probe): string[] {
  const { options } = probe;
  const receiver = receiverOf(probe);
  const given = (id: OperationId) => isGiven(probe, id);
  const subscriptions = receiver ? 20 : 10;
  const ending = (deletion: OperationId) =>
    given(deletion) ? 'deleted at the end' : 'left behind, since nothing says how they are deleted';
  const onSite = `on site ${options.siteId}`;
  const lines = [
    `up to ${subscriptions} webhook subscriptions ${onSite} (${ending('deleteSubscription')})${receiver ? ' and as many test pushes' : ''}`,
    (given('createSite') || given('importSite')) && `up to 6 sites (${ending('deleteSite')})`,
    given('publishSite') && `up to 6 published versions ${onSite}: what is changed there is public then`,
    receiver && given('createContent') && `up to 3 contents ${onSite} (${ending('deleteContent')})`,
    receiver && given('submitForm') && `up to 2 form submissions ${onSite}`,
    receiver && given('createComment') && `up to 2 comments ${onSite}`,
    receiver && given('failPublish') && `a publish ${onSite} that fails`,
    given('createKey') && given('deleteKey') && 'up to 6 API keys, deleted at once',
    options.learning && tried,
  ];
  return lines.filter((line) => typeof line === 'string');
}

const tried =
  'one of each thing that was learnt to be created, on a new site where that is possible, and deleted where it was learnt how';
