// Why a gap has no value, where no step has given the reason, and what a discovery is going to create: people are asked before it does.

import type { OperationId } from '../../openapi/operations.ts';
import { gaps } from '../../openapi/registers.ts';
import type { ResourceKind } from '../deployment/shown-things.ts';
import { isGiven, mostOf } from './ask/operations.ts';
import { type Probe, receiverOf } from './probe.ts';

/** Enters a reason for every gap without a value. */
export function explainUnknown(probe: Probe, { endedEarly }: { endedEarly: boolean }): void {
  for (const gap of gaps) {
    const reason =
      gap.probe === undefined
        ? explainNoProbe(gap.id)
        : endedEarly
          ? 'the discovery ended before'
          : explainNoFinding(probe, gap.id);
    probe.findings.missed([gap.id], reason);
  }
}

function explainNoProbe(id: string): string {
  return unprobed.find(([pattern]) => pattern.test(id))?.[1] ?? 'not probed; state it if you know it';
}

/** What is never guessed, and what could be found out only by harm to those who use the deployment. */
const unprobed: readonly [RegExp, string][] = [
  [/^operation\./, 'paths are never guessed; give --openapi or --har, or state it'],
  [/^limits\./, 'finding it out would use up a limit of the tenant; ask the operator of the deployment'],
  [/^login\.lock-out$/, 'finding it out would lock a user out; ask the operator of the deployment'],
  [/^subscription\.quota$/, 'finding it out would use up the site’s subscriptions; ask the operator'],
];

/** What a test of its own takes, which a discovery has not. */
const untried: Readonly<Record<string, string>> = {
  'publish.unchanged':
    'it needs operation.publish-site with its version; state it in a profile and give it with --profile',
  'idempotency.repetition': 'no repetition of a creation was recognised',
  'idempotency.key-header': 'no key in a header was needed',
};

function explainNoFinding(probe: Probe, id: string): string {
  const { options, pushes, seen } = probe;
  const reason = untried[id];
  if (reason !== undefined) return reason;
  if (/^(login|refresh)\./.test(id) && !options.account)
    return 'it needs a user; set SITEPUB_USERNAME and SITEPUB_PASSWORD';
  if (/^(login|refresh|errors|token)\./.test(id)) return 'no answer showed it';
  if (options.siteId === undefined) return 'it needs a site; set SITEPUB_SITE_ID';
  if (seen.whyNoCreation !== undefined) return seen.whyNoCreation;
  if (!receiverOf(probe)) return pushes.unreached ?? noReceiver;
  return id.startsWith('event-data.')
    ? 'it needs an operation that causes the event; state it in a profile and give it with --profile'
    : 'no answer and no push showed it';
}

const noReceiver =
  'it needs a receiver that the deployment can reach; give --receiver-listen and --receiver-url';

/** One line for each kind of resource. */
export function describeCreations(probe: Probe): string[] {
  const { options } = probe;
  const receiver = receiverOf(probe);
  const given = (id: OperationId) => isGiven(probe, id);
  const ending = (deletion: OperationId) =>
    given(deletion) ? 'deleted at the end' : 'left behind, since nothing says how they are deleted';
  const onSite = `on site ${options.siteId}`;
  const alsoSent = `${receiver ? ', as many test pushes' : ''}, and as many creations that should be refused`;
  const publishes = given('publishSite') || (receiver && given('failPublish'));
  const rows: [isGiven: unknown, what: ResourceKind, words: string][] = [
    [true, 'subscription', `webhook subscriptions ${onSite} (${ending('deleteSubscription')})${alsoSent}`],
    [given('createSite') || given('importSite'), 'site', `sites (${ending('deleteSite')})`],
    [publishes, 'published version', `publishes ${onSite}: what is changed there is public then`],
    [receiver && given('createContent'), 'content', `content items ${onSite} (${ending('deleteContent')})`],
    [receiver && given('submitForm'), 'form submission', `form submissions ${onSite}`],
    [receiver && given('createComment'), 'comment', `comments ${onSite}`],
    [given('createKey') && given('deleteKey'), 'API key', 'API keys, deleted at once'],
  ];
  const created = rows.filter(([isGiven]) => isGiven);
  const lines = created.map(([, what, words]) => `up to ${mostOf(what)} ${words}`);
  return options.learning ? [...lines, tried] : lines;
}

const tried =
  'one of each thing that was learnt to be created, on a new site where that is possible, and deleted where it was learnt how';
