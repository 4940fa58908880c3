import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { answerLeaves, type JsonLeaf } from '../../core/json-leaves.ts';
import { writeJson } from '../../core/parse-json.ts';
import { readIsoDateTime } from '../../push-receiver/iso-date-time.ts';
import { sendLogin } from '../ask/log-in.ts';
import { explainUnexpectedAnswer, hasEnvelope, isRateRefusal, noteRefusal } from '../ask/refusals.ts';
import { sendRequest } from '../ask/send.ts';
import { type Probe, Stop } from '../probe.ts';

/** Sends credentials only to a deployment that answers in the envelope. Throws Stop if it does not. */
export async function reachDeployment(probe: Probe): Promise<void> {
  const { baseUrl, account } = probe.options;
  if (!new URL(baseUrl).pathname.endsWith('/api/v1'))
    throw new Stop(
      'unexpected',
      `the base URL ${baseUrl} does not end in /api/v1 (VERSION-1); sitepub sent nothing to it`,
    );
  const anonymous = await sendRequest(probe, { path: '/auth/refresh', anyAnswer: true });
  if (hasEnvelope(anonymous)) return noteRefusal(probe, 'unauthenticated', anonymous);
  // Perhaps the deployment only has no renewal.
  const hasNoRenewal = [404, 405, 501].includes(anonymous.response.status) && account !== undefined;
  if (!hasNoRenewal) throw explainUnexpectedAnswer(probe, anonymous, 'a refresh without Authorization');
}

/** Throws Stop if the deployment refuses the login. */
export async function probeLogin(probe: Probe): Promise<Exchange> {
  const login = await sendLogin(probe);
  if (!hasEnvelope(login)) throw explainUnexpectedAnswer(probe, login, 'the login');
  if (!succeeded(login)) throw explainRefusedLogin(probe, login);
  probe.session.hasLoggedIn = true;
  probe.findings.found('login.status', login.response.status, 'the status of the login answer');
  findExpiry(probe, login);
  return login;
}

function explainRefusedLogin(probe: Probe, login: Exchange): Stop {
  const answer = probe.secrets.redact(describeAnswer(login));
  if (isRateRefusal(login))
    return new Stop(
      'unexpected',
      `the deployment refused the login for its rate (${answer}): other clients use the tenant's 10 logins a minute; run again in a minute`,
    );
  if (login.response.status >= 500) return explainUnexpectedAnswer(probe, login, 'the login');
  return new Stop(
    'credentials',
    `the deployment refused the login of ${probe.options.account?.username} (${answer}); check SITEPUB_USERNAME and SITEPUB_PASSWORD`,
  );
}

const expiryName =
  /^exp$|expir(e|es|ed|y|ation)|ttl|life_?(time|span)|valid_?(for|seconds|until|till|to|time|thru)|^validity|max_?age|有效期|过期/i;
/** Names that belong to the expiry of something else. */
const otherThing = /refresh|password|csrf|user|account|tenant|plan|licen[cs]e|trial|member/i;
const yearSeconds = 31_536_000;

interface Lifetime {
  leaf: JsonLeaf;
  /** Whether the value itself is the remaining lifetime in seconds. */
  isPlain: boolean;
  seconds: number;
}

/** Finds the lifetime of the token in the login answer. */
export function findExpiry({ findings, clock }: Probe, login: Exchange): undefined {
  const sent = { atMs: momentOf(login, clock.now()), tookMs: Math.max(0, clock.now() - login.at) };
  const lifetimes = answerLeaves(login.response.json)
    .filter(({ pointer, name }) => expiryName.test(name) && !otherThing.test(pointer))
    .flatMap((leaf) => lifetimeAt(leaf, sent.atMs));
  const plain = lifetimes.find(({ isPlain }) => isPlain);
  const shown = plain ?? lifetimes[0];
  const { pointer = 'absent', value } = plain?.leaf ?? {};
  const number = plain ? `the integer ${value} at ${pointer}` : 'no integer for it';
  findings.found('login.expires-in', pointer, `the login answer has ${number}`);
  if (!shown) return;
  const seconds = roundUp(shown, sent.tookMs);
  const what = `${writeJson(shown.leaf.value)} at ${shown.leaf.pointer}`;
  const rounding = seconds === shown.seconds ? '' : `, which is ${shown.seconds} s after the answer`;
  const evidence = `the login answer has ${what}${rounding}; the deployment may accept a token somewhat longer`;
  findings.found('token.lifetime', seconds, evidence);
}

/** By the deployment's own clock, if it sends a Date header. */
function momentOf({ response }: Exchange, now: number): number {
  const date = Date.parse(String(response.headers.date ?? ''));
  return Number.isNaN(date) ? now : date;
}

function lifetimeAt(leaf: JsonLeaf, sentMs: number): Lifetime[] {
  const { value, name } = leaf;
  const isPlain = Number.isInteger(value) && isLifetime(Number(value)) && !/milli|_?ms$/i.test(name);
  const seconds = isPlain ? Number(value) : Math.floor(secondsOf(leaf, sentMs));
  return isLifetime(seconds) ? [{ leaf, isPlain, seconds }] : [];
}

function isLifetime(seconds: number): boolean {
  return seconds >= 1 && seconds <= yearSeconds;
}

/** Remaining lifetime; NaN if the value has no usual form. */
function secondsOf({ value, name }: JsonLeaf, sentMs: number): number {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number === 'number') {
    // Unix time has 10 digits in seconds and 13 in milliseconds.
    if (number >= 1e12) return (number - sentMs) / 1_000;
    if (number >= 1e9) return number - sentMs / 1_000;
    return /milli|_?ms$/i.test(name) ? number / 1_000 : number;
  }
  if (typeof value !== 'string') return Number.NaN;
  const text = value.trim().replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  // A local time without offset is ambiguous.
  const moment = readIsoDateTime(text);
  return moment ? (moment.from - sentMs) / 1_000 : Number.NaN;
}

/** Seconds that an answer may lose on its way, beyond the duration of the request. */
const lossSeconds = 5;
const minute = 60;

/** Rounds the remaining time up to the whole minutes of a usual lifetime. */
function roundUp({ seconds, isPlain }: Lifetime, tookMs: number): number {
  // A Date header drops the fraction of its second.
  const nearest = Math.ceil((seconds - (isPlain ? 0 : 1)) / minute) * minute;
  const missing = nearest - seconds;
  return nearest > 0 && missing <= lossSeconds + tookMs / 1_000 ? nearest : seconds;
}
