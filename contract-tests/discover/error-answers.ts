// Makes each kind of mistake once and reads from the refusals which statuses, codes and data the deployment answers with.
import type { ErrorKind } from '../../openapi/error-codes.ts';
import { findGap } from '../../openapi/registers.ts';
import { type Exchange, envelopeOf } from '../core/exchange.ts';
import { Unreachable } from '../core/outcomes.ts';
import { exampleUrl, unassignedId } from '../subscriptions/subscription-calls.ts';
import { callOperation, isGiven } from './call-operations.ts';
import {
  areSameRefusals,
  noteRefusal,
  type Probe,
  type ProbeRequest,
  reportProgress,
  sendRequest,
} from './discovery-probe.ts';
import { creationBody, sendCreation } from './probe-creation.ts';
import { sendLogin } from './probe-login.ts';

const conventional = findGap('errors.http-status')?.conventional ?? {};
/** More than any gateway accepts by default, and little enough to do no harm. */
const largeBytes = 2 * 1024 * 1024;

/** Mistakes that need at most a token. None of them creates anything. */
export async function provokeErrors(probe: Probe): Promise<void> {
  reportProgress(probe, 'making mistakes, each once');
  const { token, options } = probe;
  await note(probe, 'unknown-path', { method: 'GET', path: `/sitepub-${probe.runId}-nothing-here`, token });
  await note(probe, 'method-not-allowed', { method: 'GET', path: '/auth/refresh', token });
  await noteMalformed(probe);
  if (options.account)
    noteRefusal(probe, 'bad-credentials', await sendLogin(probe, { password: `not-${probe.runId}` }));
}

/** Mistakes in the creation of a subscription, each wrong in one way only. */
export async function provokeCreationErrors(probe: Probe): Promise<void> {
  const { token, options } = probe;
  const path = `/tenant/sites/${options.siteId}/webhooks`;
  await note(probe, 'malformed-json', { path, token, rawBody: '{"' });
  await note(probe, 'unsupported-media-type', {
    path,
    token,
    rawBody: '{}',
    headers: { 'Content-Type': 'text/plain' },
  });
  const large = await askIfAnswered(probe, {
    path,
    token,
    rawBody: JSON.stringify({ filling: 'x'.repeat(largeBytes) }),
  });
  // A deployment that accepts this size refuses the body for its fields.
  if (large && !areSameRefusals(large, probe.refusals.get('invalid-request')))
    noteRefusal(probe, 'body-too-large', large);
  await noteSite(probe, 'unknown-site', unassignedId);
  if (options.foreignSiteId !== undefined) await noteSite(probe, 'foreign-site', options.foreignSiteId);
  await noteUnknownResource(probe);
}

async function noteSite(probe: Probe, kind: ErrorKind, site: number): Promise<void> {
  const target = exampleUrl('/sitepub');
  const body = creationBody(probe, { url: target, events: ['form.submit'], channel: 'custom' });
  noteRefusal(probe, kind, await sendCreation(probe, body, { site, target }));
}

/** Calls an operation on a resource that does not exist, so that nothing changes. */
async function noteUnknownResource(probe: Probe): Promise<void> {
  const values = { contentID: unassignedId, keyID: unassignedId, title: 'sitepub', text: 'sitepub' };
  for (const id of ['updateContent', 'publishContent', 'deleteContent', 'deleteKey'] as const) {
    if (!isGiven(probe, id)) continue;
    return noteRefusal(probe, 'unknown-resource', (await callOperation(probe, id, values)).exchange);
  }
}

async function note(probe: Probe, kind: ErrorKind, request: ProbeRequest): Promise<void> {
  const exchange = await askIfAnswered(probe, request);
  if (exchange) noteRefusal(probe, kind, exchange);
}

/** A gateway in front of a deployment may close the connection at a mistake. */
async function askIfAnswered(probe: Probe, request: ProbeRequest): Promise<Exchange | undefined> {
  try {
    return await sendRequest(probe, request);
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    throw error;
  }
}

/** A path with an invalid percent-encoding; the other HTTP client can't send one. */
async function noteMalformed(probe: Probe): Promise<void> {
  const { options, token } = probe;
  const url = `${options.baseUrl}/tenant/sites/%zz/webhooks/1/test`;
  const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  probe.count.requests++;
  try {
    const signal = AbortSignal.timeout(15_000);
    const response = await fetch(url, { method: 'POST', headers, redirect: 'manual', signal });
    const text = await response.text();
    const request = { method: 'POST', url, headers: {}, body: undefined };
    const answer = { status: response.status, headers: {}, text, json: parse(text) };
    const never = { at: 0, answeredAt: 0, mayBeReplayed: false };
    const rest = { operation: 'testSubscription', ...never, values: {} } as const;
    noteRefusal(probe, 'malformed-request', { ...rest, request, response: answer });
  } catch {
    // Without an answer there is no refusal to read.
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Adds the findings that all refusals together show. */
export function summarizeRefusals({ refusals, findings }: Probe): undefined {
  const seen = [...refusals].filter(([, { response }]) => response.status < 300 || response.status >= 400);
  const kinds = seen.map(([kind]) => kind).join(', ');
  if (seen.length === 0) return findings.missed(errorGaps, 'no refusal was seen');
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

const errorGaps = ['errors.http-status', 'errors.codes', 'errors.data'];

/** The fewest kinds of errors from which a rule for all is concluded. */
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
  if (forms.size === 1 && form !== undefined) findings.found('errors.data', form, 'data in every refusal');
  else findings.missed(['errors.data'], 'data is not the same in every refusal');
}

function dataOf(envelope: Record<string, unknown>): string | undefined {
  if (!('data' in envelope)) return 'absent';
  const { data } = envelope;
  if (data === null) return 'null-value';
  return typeof data === 'object' && Object.keys(data).length === 0 ? 'empty-object' : undefined;
}
