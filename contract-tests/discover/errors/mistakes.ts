// Sends invalid requests. Each has one mistake, is sent twice, and counts only if both refusals agree.
import type { ErrorKind } from '../../../openapi/error-codes.ts';
import { findGap } from '../../../openapi/registers.ts';
import { type Exchange, envelopeOf, succeeded } from '../../core/exchange.ts';
import { unassignedId } from '../../subscriptions/nobodys-ids.ts';
import { exampleUrl } from '../../subscriptions/subscription-calls.ts';
import { type CreationOptions, createOwn, creationBody, plainEvents, sendCreation } from '../ask/create.ts';
import { sendLogin } from '../ask/log-in.ts';
import { callOperation, isGiven } from '../ask/operations.ts';
import { isRateRefusal, isSameError, kindOfError, noteRefusal } from '../ask/refusals.ts';
import { type ProbeRequest, sendRequest, unlessLost } from '../ask/send.ts';
import type { Probe } from '../probe.ts';
import { tryOne } from '../tries/try.ts';

/** More than gateways accept by default, and small enough to do no harm. */
const largeBytes = 2 * 1024 * 1024;

/** Mistakes that need at most a token and create nothing. */
export async function provokeErrors(probe: Probe): Promise<void> {
  const { session, options } = probe;
  const { token } = session;
  const get = (path: string) => () => askIfAnswered(probe, { method: 'GET', path, token });
  await note(probe, 'unknown-path', get(`/sitepub-${probe.runId}-nothing-here`));
  await note(probe, 'method-not-allowed', get('/auth/refresh'));
  await noteMalformed(probe);
  if (options.account)
    await note(probe, 'bad-credentials', () => sendLogin(probe, { password: `not-${probe.runId}` }));
}

/** Mistakes in a subscription request, whose field names are known. */
export async function provokeCreationErrors(probe: Probe): Promise<void> {
  const { siteId, foreignSiteId } = probe.options;
  const target = exampleUrl(`/sitepub/${probe.runId}/mistake`);
  const body = creationBody(probe, { url: target, events: plainEvents, channel: 'custom' });
  const create = (wrong: CreationOptions) => () =>
    unlessLost(() => sendCreation(probe, body, { target, ...wrong }));
  const path = `/tenant/sites/${siteId}/webhooks`;
  const send = (request: Omit<ProbeRequest, 'path'>) => () =>
    askIfAnswered(probe, { path, token: probe.session.token, ...request });
  await note(probe, 'unauthenticated', create({ isAnonymous: true, isOnce: true }));
  // If the deployment accepts an empty body, an unread body would create a subscription that nothing identifies.
  const isSafe = probe.seen.refusals.has('invalid-request');
  if (isSafe) await note(probe, 'malformed-json', send({ rawBody: '{"' }));
  await note(probe, 'unsupported-media-type', create({ headers: { 'Content-Type': 'text/plain' } }));
  const filling = { filling: 'x'.repeat(largeBytes) };
  // A deployment that accepts this size refuses the fields instead.
  if (isSafe) await note(probe, 'body-too-large', send({ body: filling }), ['invalid-request']);
  await note(probe, 'unknown-site', create({ site: unassignedId }));
  if (foreignSiteId !== undefined) await note(probe, 'foreign-site', create({ site: foreignSiteId }));
  await noteUnknownResource(probe);
}

/** Notes a refusal if the repetition agrees and it differs from the refusals of `others`. */
async function note(
  probe: Probe,
  kind: ErrorKind,
  send: () => Promise<Exchange | undefined>,
  others: readonly ErrorKind[] = [],
): Promise<void> {
  const first = await send();
  if (!first || succeeded(first) || isRateRefusal(first)) return;
  const second = await send();
  if (!second || !isSameError(first, second)) return;
  if (others.some((other) => isSameError(first, probe.seen.refusals.get(other)))) return;
  noteRefusal(probe, kind, first);
}

/** Only reads, because the unassigned id may exist after all. */
async function noteUnknownResource(probe: Probe): Promise<void> {
  if (!isGiven(probe, 'getContent')) return;
  const read = () => callOperation(probe, 'getContent', { contentID: unassignedId });
  await note(probe, 'unknown-resource', async () => (await read()).exchange);
}

/** A gateway may close the connection after a mistake. */
function askIfAnswered(probe: Probe, request: ProbeRequest): Promise<Exchange | undefined> {
  return unlessLost(() => sendRequest(probe, { ...request, mayBeCut: true }));
}

/** A deployment that reads the invalid percent-encoding as a site refuses it like an unknown site. */
async function noteMalformed(probe: Probe): Promise<void> {
  const testAt = (site: string) => () => {
    const path = `/tenant/sites/${site}/webhooks/${unassignedId}/test`;
    return askIfAnswered(probe, { operation: 'testSubscription', path, token: probe.session.token });
  };
  const unknown = await testAt(`${unassignedId}`)();
  const malformed = await testAt('%zz')();
  if (unknown && malformed && isSameError(malformed, unknown)) return;
  await note(probe, 'malformed-request', testAt('%zz'), ['unauthenticated', 'unknown-path']);
}

const maxKeys = 6;

/** Creates API keys until the deployment refuses one, then deletes them. */
export async function exceedKeyQuota(probe: Probe): Promise<void> {
  const ids: unknown[] = [];
  try {
    await createTooManyKeys(probe, ids);
  } finally {
    for (const keyID of ids) if (keyID !== undefined) await tryOne(probe, 'deleteKey', { keyID });
  }
}

/** Adds the ids of the created keys to `ids`. */
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
    // If the tenant cannot create even one key, the refusal has another reason.
    if (ids.length === 0) return;
    if (refusal && isSameError(exchange, refusal)) return noteRefusal(probe, 'key-quota', exchange);
    if (refusal) return;
    refusal = exchange;
  }
}

const conventional = findGap('errors.http-status')?.conventional ?? {};

/** Finds the status and code of each kind of error, and the form of `data`, from all refusals. */
export function summarizeRefusals({ seen: { refusals, failures }, findings }: Probe): undefined {
  const seen = [...refusals].filter(
    ([, exchange]) => isErrorStatus(exchange.response.status) && !failures.passing.has(kindOfError(exchange)),
  );
  const kinds = seen.map(([kind]) => kind).join(', ');
  if (seen.length === 0) return findings.missed(errorGaps, 'the deployment refused no request');
  const statuses = Object.fromEntries(seen.map(([kind, { response }]) => [kind, response.status]));
  findings.found('errors.http-status', describeStatuses(statuses), `the refusals of ${kinds}`);
  const codes = seen.flatMap(([kind, exchange]) => {
    const { code } = envelopeOf(exchange);
    return Number.isInteger(code) && code !== 0 ? [[kind, code] as const] : [];
  });
  if (codes.length > 0)
    findings.found(
      'errors.codes',
      Object.fromEntries(codes),
      `the refusals of ${codes.map(([kind]) => kind).join(', ')}`,
    );
  const refused = seen.map(([, exchange]) => exchange);
  findData(findings, refused);
}

/** A redirect does not come from the service; above 599 is not an HTTP status. */
function isErrorStatus(status: number): boolean {
  return status < 300 || (status >= 400 && status <= 599);
}

const errorGaps = ['errors.http-status', 'errors.codes', 'errors.data'];

/** Fewest kinds of errors that prove a rule for all. */
const minKinds = 3;

function describeStatuses(statuses: Record<string, number>): unknown {
  const all = Object.entries(statuses);
  if (all.length < minKinds) return statuses;
  if (all.every(([, status]) => status === 200)) return 'always-200';
  return all.every(([kind, status]) => conventional[kind] === status) ? 'conventional' : statuses;
}

function findData(findings: Probe['findings'], refusals: readonly Exchange[]): void {
  const envelopes = refusals.map(envelopeOf).filter((envelope) => 'code' in envelope);
  const forms = new Set(envelopes.map(dataOf));
  const [form] = forms;
  if (forms.size === 1 && form !== undefined) findings.found('errors.data', form, 'data of every refusal');
  else findings.missed(['errors.data'], 'data differs between refusals');
}

function dataOf(envelope: Record<string, unknown>): string | undefined {
  if (!('data' in envelope)) return 'absent';
  const { data } = envelope;
  if (data === null) return 'null-value';
  return typeof data === 'object' && Object.keys(data).length === 0 ? 'empty-object' : undefined;
}
