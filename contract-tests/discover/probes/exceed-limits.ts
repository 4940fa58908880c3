// Exceeds the limits that can be reset: the tenant's logins, and the quota of API keys where keys can be deleted.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { isFailure } from '../../core/failures.ts';
import { callOperation, isGiven, isOwn } from '../call-operations.ts';
import { createOwn } from '../create-own.ts';
import { noteRefusal, type Probe, reportProgress } from '../discovery-probe.ts';
import { isSameError, kindOfError } from '../refusals.ts';
import { renewOrLogIn } from './probe-expiry.ts';
import { sendLogin, tokenIn } from './probe-login.ts';

/** More than two minutes allow, so that the limit is exceeded even when a new minute begins on the way. */
const maxLogins = 21;
const maxKeys = 6;

/** Logs in until a login is refused, and resets the limits. */
export async function exceedLoginLimit(probe: Probe): Promise<void> {
  const { control, findings, options } = probe;
  if (!options.account) return;
  if (!control)
    return findings.missed(
      ['limits.retry-after'],
      'it locks the tenant out for a minute, which is done with --control-url only',
    );
  reportProgress(probe, 'exceeding the limit of logins');
  await control.clearLimits();
  const answered = new Set<string | undefined>();
  let failure: Exchange | undefined;
  for (let count = 0; count < maxLogins; count++) {
    const login = await sendLogin(probe, { exceedsLimit: true });
    if (succeeded(login)) answered.add(tokenIn(probe, login));
    if (succeeded(login)) continue;
    // One failure is no refusal, and the same one twice is.
    if (isFailure(login) && !isSameError(login, failure)) {
      failure = login;
      continue;
    }
    if (failure) probe.failures.lasting.add(kindOfError(failure));
    if (count === 0)
      return findings.missed(['limits.retry-after'], 'not even the first login was let through');
    noteRefusal(probe, 'rate-limited', login);
    const header = login.response.headers['retry-after'];
    const [value, article] = header === undefined ? ['not-sent', 'no'] : ['sent', 'a'];
    const evidence = `the refusal of a login too many had ${article} Retry-After header`;
    findings.found('limits.retry-after', value, evidence);
    break;
  }
  await control.clearLimits();
  // Each login may have ended the session before it.
  await renewOrLogIn(probe);
  const isOne = answered.size === 1;
  const what = isOne ? 'answered as one' : 'let through';
  findings.missed(['limits.retry-after'], `${maxLogins} logins at once were all ${what}`);
}

/** Creates keys until one is refused, and deletes them again. */
export async function exceedKeyQuota(probe: Probe): Promise<void> {
  if (!isGiven(probe, 'createKey') || !isGiven(probe, 'deleteKey')) return;
  reportProgress(probe, 'exceeding the quota of keys');
  const ids: unknown[] = [];
  try {
    await createTooManyKeys(probe, ids);
  } finally {
    for (const id of ids) {
      if (!(await isOwn(probe, { what: 'API key', id, site: undefined, tenant: 'main' }))) continue;
      const { exchange } = await callOperation(probe, 'deleteKey', { keyID: id });
      if (succeeded(exchange)) probe.resources.markDeleted('API key', id);
    }
  }
}

/** Notes how one too many is refused, twice alike. Adds the identifiers of those that were created to `ids`. */
async function createTooManyKeys(probe: Probe, ids: unknown[]): Promise<void> {
  let refusal: Exchange | undefined;
  while (ids.length < maxKeys) {
    const name = `sitepub-${probe.runId}-${ids.length}`;
    const { exchange, values } = await createOwn(probe, 'createKey', { name });
    if (succeeded(exchange)) {
      ids.push(values.id);
      refusal = undefined;
      continue;
    }
    // A tenant that can create no key at all is refused for something else.
    if (ids.length === 0) return;
    if (refusal && isSameError(exchange, refusal)) return noteRefusal(probe, 'key-quota', exchange);
    if (refusal) return;
    refusal = exchange;
  }
}
