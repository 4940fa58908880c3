// Where limits can be opened again, they are exceeded: the tenant's logins, and the keys where they can be deleted.
import { succeeded } from '../core/exchange.ts';
import { callGiven, isGiven } from './call-operations.ts';
import { noteRefusal, type Probe, progress } from './discovery-probe.ts';
import { sendLogin } from './probe-login.ts';

/** Two minutes' worth, so that one of them is exceeded wherever it begins. */
const mostLogins = 21;
const mostKeys = 6;

/** Logs in until it is refused, and opens the limits again. */
export async function exceedLogins(probe: Probe): Promise<void> {
  const { control, findings, options } = probe;
  if (!options.account) return;
  if (!control)
    return findings.missed(
      ['limits.retry-after'],
      'it locks the tenant out for a minute, which is done with --control-url only',
    );
  progress(probe, 'exceeding the limit of logins');
  for (let count = 0; count < mostLogins; count++) {
    const login = await sendLogin(probe, { isBeyond: true });
    if (succeeded(login)) continue;
    noteRefusal(probe, 'rate-limited', login);
    const header = login.response.headers['retry-after'];
    findings.found(
      'limits.retry-after',
      header === undefined ? 'not-sent' : 'sent',
      `the refusal of a login too many had ${header === undefined ? 'no' : 'a'} Retry-After header`,
    );
    break;
  }
  await control.clearLimits();
  findings.missed(['limits.retry-after'], `${mostLogins} logins at once were all let through`);
}

/** Creates keys until there are too many, and deletes them again. */
export async function exceedKeys(probe: Probe): Promise<void> {
  if (!isGiven(probe, 'createKey') || !isGiven(probe, 'deleteKey')) return;
  progress(probe, 'exceeding the quota of keys');
  const ids: unknown[] = [];
  for (let count = 0; count < mostKeys; count++) {
    const { exchange, values } = await callGiven(probe, 'createKey', {
      name: `sitepub-${probe.runId}-${count}`,
    });
    if (!succeeded(exchange)) {
      noteRefusal(probe, 'key-quota', exchange);
      break;
    }
    ids.push(values.id);
  }
  for (const id of ids) {
    const { exchange } = await callGiven(probe, 'deleteKey', { keyID: id });
    if (succeeded(exchange)) probe.resources.markDeleted('API key', id);
  }
}
