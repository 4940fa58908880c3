// What a discovery is going to create, in words: people are asked before it does.
import { isGiven } from './call-operations.ts';
import type { Probe } from './discovery-probe.ts';

/** One line for each kind of thing. */
export function describeCreations(probe: Probe): string[] {
  const { options, listener } = probe;
  const given = (id: Parameters<typeof isGiven>[1]) => isGiven(probe, id);
  const hooks = listener ? 40 : 20;
  const end = given('deleteSubscription')
    ? 'deleted at the end'
    : 'left behind, since the profile does not say how they are deleted';
  const lines = [
    `up to ${hooks} webhook subscriptions on site ${options.siteId} (${end})${listener ? ' and as many test pushes' : ''}`,
    given('createSite') || given('importSite')
      ? 'up to 3 sites'
      : given('publishSite') && 'up to 4 published versions',
    listener && given('createContent') && 'up to 3 contents',
    listener && given('submitForm') && 'a form submission',
    listener && given('createComment') && 'a comment',
    listener && given('failPublish') && 'a publish that fails',
    given('createKey') && given('deleteKey') && 'up to 6 API keys, deleted at once',
  ];
  return lines.filter((line) => typeof line === 'string');
}
