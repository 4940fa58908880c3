// Makes each kind of mistake once, gently, and reads from the refusals how the deployment words its failures.

import type { ErrorKind } from '../../openapi/error-codes.ts';
import { findGap } from '../../openapi/registers.ts';
import { type Exchange, envelopeOf } from '../core/exchange.ts';
import { Unreachable } from '../core/outcomes.ts';
import { unassignedId } from '../subscriptions/subscription-calls.ts';
import { callGiven, isGiven } from './call-operations.ts';
import { areAlike, ask, noteRefusal, type Probe, progress, type Request } from './discovery-probe.ts';
import { sendBody } from './probe-creation.ts';
import { sendLogin } from './probe-login.ts';

const conventional = findGap('errors.http-status')?.conventional ?? {};
/** More than any gateway takes by default, and not so much that it hurts. */
const largeBytes = 2 * 1024 * 1024;

/** Mistakes that need nothing but a token. None of them creates anything. */
export async function provokeErrors(probe: Probe): Promise<void> {
  progress(probe, 'making mistakes, each once');
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
  // A deployment that reads even this much finds other things wrong with it.
  if (large && !areAlike(large, probe.refusals.get('invalid-request')))
    noteRefusal(probe, 'body-too-large', large);
  await noteSite(probe, 'unknown-site', unassignedId);
  if (options.foreignSiteId !== undefined) await noteSite(probe, 'foreign-site', options.foreignSiteId);
  await noteUnknownResource(probe);
}

async function noteSite(probe: Probe, kind: ErrorKind, site: number): Promise<void> {
  const { findings } = probe;
  const named = (part: string) => String(findings.value(`subscription.request.${part}`));
  const body = {
    [named('url')]: 'https://hooks.example.com/sitepub',
    [named('events')]: ['form.submit'],
    [named('channel')]: 'custom',
  };
  noteRefusal(
    probe,
    kind,
    await sendBody(probe, body, { site, target: 'https://hooks.example.com/sitepub' }),
  );
}

/** By operations that change nothing where there is nothing of that name. */
async function noteUnknownResource(probe: Probe): Promise<void> {
  const values = { contentID: unassignedId, keyID: unassignedId, title: 'sitepub', text: 'sitepub' };
  for (const id of ['updateContent', 'publishContent', 'deleteContent', 'deleteKey'] as const) {
    if (!isGiven(probe, id)) continue;
    return noteRefusal(probe, 'unknown-resource', (await callGiven(probe, id, values)).exchange);
  }
}

async function note(probe: Probe, kind: ErrorKind, request: Request): Promise<void> {
  const exchange = await askIfAnswered(probe, request);
  if (exchange) noteRefusal(probe, kind, exchange);
}

/** What stands in front of a deployment may hang up on a mistake. */
async function askIfAnswered(probe: Probe, request: Request): Promise<Exchange | undefined> {
  try {
    return await ask(probe, request);
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    throw error;
  }
}

/** A path that is not percent-encoded as it must be; no other client of ours sends such a thing. */
async function noteMalformed(probe: Probe): Promise<void> {
  const { options, token } = probe;
  const url = `${options.baseUrl}/tenant/sites/%zz/webhooks/1/test`;
  const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  probe.count.requests++;
  try {
    const init = {
      method: 'POST',
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    } as const;
    const response = await fetch(url, init);
    const text = await response.text();
    const request = { method: 'POST', url, headers: {}, body: undefined };
    const message = { status: response.status, headers: {}, text, json: parse(text) };
    const rest = { operation: 'testSubscription', at: 0, values: {}, mayBeReplayed: false } as const;
    noteRefusal(probe, 'malformed-request', { ...rest, request, response: message });
  } catch {
    // No answer, no refusal to read.
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Enters what all refusals together show. */
export function summarizeRefusals({ refusals, findings }: Probe): undefined {
  const seen = [...refusals].filter(([, { response }]) => response.status < 300 || response.status >= 400);
  const kinds = seen.map(([kind]) => kind).join(', ');
  if (seen.length === 0) return findings.missed(errorGaps, 'no refusal was seen');
  const statuses = Object.fromEntries(seen.map(([kind, { response }]) => [kind, response.status]));
  findings.found('errors.http-status', formOf(statuses), `the refusals of ${kinds}`);
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
  findData(
    findings,
    seen.map(([, exchange]) => exchange),
  );
}

const errorGaps = ['errors.http-status', 'errors.codes', 'errors.data'];

/** A few kinds show no form that all have. */
const fewKinds = 3;

function formOf(statuses: Record<string, number>): unknown {
  const all = Object.entries(statuses);
  if (all.length < fewKinds) return statuses;
  if (all.every(([, status]) => status === 200)) return 'always-200';
  return all.every(([kind, status]) => conventional[kind] === status) ? 'conventional' : statuses;
}

function findData(findings: Probe['findings'], refusals: readonly Exchange[]): void {
  const forms = new Set(
    refusals.filter((one) => 'code' in envelopeOf(one)).map((one) => dataOf(envelopeOf(one))),
  );
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
