// Reasons for gaps without a value, and the list of planned creations that the user confirms.
import type { OperationId } from '../../openapi/operations.ts';
import { gaps } from '../../openapi/registers.ts';
import type { ResourceKind } from '../deployment/shown-things.ts';
import { isGiven, mostOf } from './ask/operations.ts';
import { type Probe, receiverOf } from './probe.ts';

/** Adds a reason for each gap that has neither a value nor a reason. */
export function explainUnknown(probe: Probe, { endedEarly }: { endedEarly: boolean }): void {
  for (const gap of gaps) {
    const reason =
      gap.probe === undefined
        ? explainNoProbe(gap.id)
        : endedEarly
          ? 'the discovery ended before this step'
          : explainNoFinding(probe, gap.id);
    probe.findings.missed([gap.id], reason);
  }
}

function explainNoProbe(id: string): string {
  return (
    unprobed.find(([pattern]) => pattern.test(id))?.[1] ??
    'sitepub does not probe it; state it in a profile if you know it'
  );
}

/** Gaps that cannot be guessed, or whose probe would harm users of the deployment. */
const unprobed: readonly [RegExp, string][] = [
  [/^operation\./, 'sitepub never guesses paths; pass --openapi or --har, or state it in a profile'],
  [/^limits\./, 'a probe would use up a limit of the tenant; ask the operator of the deployment'],
  [/^login\.lock-out$/, 'a probe would lock a user out; ask the operator of the deployment'],
  [
    /^subscription\.quota$/,
    'a probe would use up the subscriptions of the site; ask the operator of the deployment',
  ],
];

const untried: Readonly<Record<string, string>> = {
  'publish.unchanged':
    'needs operation.publish-site with its version; state it in a profile and pass --profile',
  'idempotency.repetition': 'the deployment recognised no repeated creation',
  'idempotency.key-header': 'no repetition needed a key in a header',
};

function explainNoFinding(probe: Probe, id: string): string {
  const { options, pushes, seen } = probe;
  const reason = untried[id];
  if (reason !== undefined) return reason;
  if (/^(login|refresh)\./.test(id) && !options.account)
    return 'needs a user; set SITEPUB_USERNAME and SITEPUB_PASSWORD';
  if (/^(login|refresh|errors|token)\./.test(id)) return 'no answer showed it';
  if (options.siteId === undefined) return 'needs a site; set SITEPUB_SITE_ID';
  if (seen.whyNoCreation !== undefined) return seen.whyNoCreation;
  if (!receiverOf(probe)) return pushes.unreached ?? noReceiver;
  return id.startsWith('event-data.')
    ? 'needs an operation that causes the event; state one in a profile and pass --profile'
    : 'no answer and no push showed it';
}

const noReceiver =
  'needs a receiver that the deployment can reach; pass --receiver-listen and --receiver-url';

/** Returns one line per kind of resource, for the question whether to create. */
export function describeCreations(probe: Probe): string[] {
  const { options } = probe;
  const receiver = receiverOf(probe);
  const given = (id: OperationId) => isGiven(probe, id);
  const ending = (deletion: OperationId) =>
    given(deletion) ? 'deleted at the end' : 'left behind, because no known operation deletes them';
  const onSite = `on site ${options.siteId}`;
  const alsoSent = `${receiver ? ', as many test pushes' : ''}, and as many invalid creations`;
  const publishes = given('publishSite') || (receiver && given('failPublish'));
  const rows: [isGiven: unknown, what: ResourceKind, words: string][] = [
    [true, 'subscription', `webhook subscriptions ${onSite} (${ending('deleteSubscription')})${alsoSent}`],
    [given('createSite') || given('importSite'), 'site', `sites (${ending('deleteSite')})`],
    [publishes, 'published version', `publishes ${onSite}; unpublished changes there go live`],
    [receiver && given('createContent'), 'content', `content items ${onSite} (${ending('deleteContent')})`],
    [receiver && given('submitForm'), 'form submission', `form submissions ${onSite}`],
    [receiver && given('createComment'), 'comment', `comments ${onSite}`],
    [given('createKey') && given('deleteKey'), 'API key', 'API keys (deleted at once)'],
  ];
  const created = rows.filter(([isGiven]) => isGiven);
  const lines = created.map(([, what, words]) => `up to ${mostOf(what)} ${words}`);
  return options.learning ? [...lines, tried] : lines;
}

const tried =
  'one resource for each learnt operation that creates, on a new site if possible; deleted if an operation for that was learnt';
