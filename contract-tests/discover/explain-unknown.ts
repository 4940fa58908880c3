// Why a gap has no value, where no step has given the reason.
import { gaps } from '../../openapi/registers.ts';
import type { Probe } from './discovery-probe.ts';

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
  return id.startsWith('operation.')
    ? 'paths are never guessed; see the documentation of the deployment'
    : 'it does not show from outside; ask the operator of the deployment';
}

/** What a test of its own takes, which a discovery has not. */
const untried: Readonly<Record<string, string>> = {
  'subscription.id-scope': 'it needs two sites',
  'keys.list-scope': 'it needs two users',
  'publish.unchanged':
    'it needs operation.publish-site with its version; state it in a profile and give it with --profile',
};

function explainNoFinding({ options, listener, whyNoCreation, whyNoReceiver }: Probe, id: string): string {
  const reason = untried[id];
  if (reason !== undefined) return reason;
  if (/^(idempotency\.(scope|in-progress)|publish\.\w+|webhook\.retry-delay)$/.test(id))
    return 'a discovery does not try it; ask the operator of the deployment';
  if (/^(login|refresh)\./.test(id) && !options.account)
    return 'it needs a user; set SITEPUB_USERNAME and SITEPUB_PASSWORD';
  if (/^(login|refresh|errors|limits|token)\./.test(id)) return 'no answer showed it';
  if (options.siteId === undefined) return 'it needs a site; set SITEPUB_SITE_ID';
  if (whyNoCreation !== undefined) return whyNoCreation;
  if (!listener)
    return (
      whyNoReceiver ??
      'it needs a receiver that the deployment can reach; give --receiver-listen and --receiver-url'
    );
  if (id === 'webhook.latency') return 'it does not show while the clock is moved';
  return id.startsWith('event-data.')
    ? 'it needs an operation that causes the event; state it in a profile and give it with --profile'
    : 'no answer and no push showed it';
}
