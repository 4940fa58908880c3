// Which text of the login answer is the token, and how it is renewed.
import { getAt } from '../../openapi/json-pointer.ts';
import { describeAnswer, type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { areAlike, ask, hasEnvelope, type Probe, progress } from './discovery-probe.ts';
import { findNeededName } from './find-needed-name.ts';
import { namesIn, tokenNames, unique } from './likely-names.ts';
import { inventedToken, type TokenCandidate, tokenCandidates } from './probe-login.ts';

const refreshGaps = ['refresh.token', 'refresh.request', 'refresh.status', 'refresh.old-token'];

/** Finds the token in the login answer by its being accepted, and everything about its renewal. */
export async function probeRefresh(probe: Probe, login: Exchange): Promise<void> {
  progress(probe, 'looking for the token, and renewing it');
  const candidates = tokenCandidates(probe, login);
  const invented = await renew(probe, inventedToken(candidates[0]?.token));
  for (const candidate of candidates) {
    const renewal = await renew(probe, candidate.token);
    if (!succeeded(renewal) && areAlike(renewal, invented)) continue;
    probe.token = candidate.token;
    const evidence = `the text at ${candidate.pointer} of the login answer was accepted as Bearer`;
    probe.findings.found('login.token', candidate.pointer, evidence);
    return succeeded(renewal) ? followRenewal(probe, renewal) : findBody(probe, renewal);
  }
  const reason =
    candidates.length === 0
      ? 'the login answer holds no text that could be a token'
      : `none of the ${candidates.length} texts in the login answer was accepted as Bearer by POST /auth/refresh`;
  probe.findings.missed(['login.token', ...refreshGaps], reason);
  // Where renewals are answered by nobody, the likeliest one is tried on the creation of a subscription.
  if (!hasEnvelope(invented)) {
    probe.token = candidates[0]?.token;
    probe.supposedToken = candidates[0]?.pointer;
  }
}

export function renew(probe: Probe, token: string | undefined, body?: unknown): Promise<Exchange> {
  return ask(probe, { path: '/auth/refresh', token, body });
}

/** Renews the session token, so that it is young again; gives the old one. */
export async function renewSession(probe: Probe): Promise<string | undefined> {
  const old = probe.token;
  const renewal = await renew(probe, old);
  const known = probe.findings.value('refresh.request');
  const answer =
    succeeded(renewal) || typeof known !== 'object' ? renewal : await renew(probe, old, fill(known, old));
  return adopt(probe, answer) ? old : undefined;
}

/** Later calls use the token of a renewal, where it is known to be one. */
function adopt(probe: Probe, renewal: Exchange): boolean {
  const pointer = probe.findings.value('refresh.token');
  const token = typeof pointer === 'string' ? getAt(renewal.response.json, pointer) : undefined;
  if (!succeeded(renewal) || typeof token !== 'string') return false;
  probe.secrets.add('SITEPUB_TOKEN', token);
  probe.token = token;
  return true;
}

/** The renewal has passed without a body. */
async function followRenewal(probe: Probe, renewal: Exchange): Promise<void> {
  const { findings } = probe;
  findings.found('refresh.status', renewal.response.status, 'the status of the refresh answer');
  if (!(await findRenewed(probe, renewal))) return;
  // A deployment that reads a body refuses one in which everything is missing.
  const empty = await renew(probe, probe.token, {});
  if (!succeeded(empty)) return findBody(probe, empty);
  adopt(probe, empty);
  findings.found(
    'refresh.request',
    'none',
    'a refresh without a body passed, and so did one with an empty object',
  );
}

/** The renewed token is the text that is accepted in its turn. */
async function findRenewed(
  probe: Probe,
  renewal: Exchange,
  body?: (token: string) => unknown,
): Promise<boolean> {
  const old = probe.token;
  for (const { pointer, token } of renewedCandidates(renewal, probe)) {
    const next = await renew(probe, token, body?.(token));
    if (!succeeded(next)) continue;
    probe.findings.found(
      'refresh.token',
      pointer,
      `the text at ${pointer} of the refresh answer was accepted as Bearer`,
    );
    return adopt(probe, next) && old !== undefined;
  }
  probe.findings.missed(
    ['refresh.token', 'refresh.old-token'],
    'no text of the refresh answer was accepted as Bearer',
  );
  return false;
}

/** Where the login answer has its token, the refresh answer is likely to have it too. */
function renewedCandidates(renewal: Exchange, probe: Probe): TokenCandidate[] {
  const same = probe.findings.value('login.token');
  const candidates = tokenCandidates(probe, renewal);
  return [
    ...candidates.filter((one) => one.pointer === same),
    ...candidates.filter((one) => one.pointer !== same),
  ];
}

/** Names of the body's field, from the refusal of a body without it, and the likely ones. */
async function findBody(probe: Probe, refusal: Exchange): Promise<void> {
  const named = namesIn(String(envelopeOf(refusal).message ?? ''));
  const hinted = unique(named.filter((name) => tokenNames.includes(name) || /token|session|jwt/i.test(name)));
  const attempt = (names: readonly string[]) => attemptRenewal(probe, names);
  for (const names of [hinted, unique([...hinted, ...tokenNames])]) {
    if (names.length === 0 || !(await attempt(names))) continue;
    const name = await findNeededName(names, attempt);
    if (name === undefined) continue;
    const evidence = `a refresh with the token as "${name}" passed, one with an empty object was refused`;
    return probe.findings.found('refresh.request', { [name]: '{token}' }, evidence);
  }
  const reason = `no body with the token under a likely name was accepted (${describeAnswer(refusal)})`;
  probe.findings.missed(refreshGaps, reason);
}

async function attemptRenewal(probe: Probe, names: readonly string[]): Promise<boolean> {
  const bodyOf = (token: string | undefined) => Object.fromEntries(names.map((name) => [name, token]));
  const renewal = await renew(probe, probe.token, bodyOf(probe.token));
  if (!succeeded(renewal)) return false;
  probe.findings.found('refresh.status', renewal.response.status, 'the status of the refresh answer');
  if (probe.findings.has('refresh.token')) return adopt(probe, renewal);
  return findRenewed(probe, renewal, bodyOf);
}

function fill(template: unknown, token: string | undefined): unknown {
  return JSON.parse(JSON.stringify(template).replaceAll('"{token}"', JSON.stringify(token)));
}
