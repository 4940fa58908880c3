// The login: whether the deployment answers in the envelope at all, and what the answer shows of the token: a number of seconds, or a moment.
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { answerLeaves, type JsonLeaf } from '../../core/json-leaves.ts';
import { writeJson } from '../../core/parse-json.ts';
import { readIsoDateTime } from '../../push-receiver/iso-date-time.ts';
import { sendLogin } from '../ask/keep-session.ts';
import { explainUnexpectedAnswer, hasEnvelope, isRateRefusal, noteRefusal } from '../ask/refusals.ts';
import { sendRequest } from '../ask/send.ts';
import { type Probe, Stop } from '../probe.ts';

/** Checks that the deployment answers in the envelope, before any credentials are sent there. Throws Stop when it does not. */
export async function reachDeployment(probe: Probe): Promise<void> {
  const { baseUrl, account } = probe.options;
  if (!new URL(baseUrl).pathname.endsWith('/api/v1'))
    throw new Stop(
      'unexpected',
      `the base address ${baseUrl} does not end in /api/v1 (VERSION-1), so nothing was sent there`,
    );
  const anonymous = await sendRequest(probe, { path: '/auth/refresh', anyAnswer: true });
  if (hasEnvelope(anonymous)) return noteRefusal(probe, 'unauthenticated', anonymous);
  // Perhaps only the renewal is missing.
  const hasNoRenewal = [404, 405, 501].includes(anonymous.response.status) && account !== undefined;
  if (!hasNoRenewal) throw explainUnexpectedAnswer(probe, anonymous, 'a refresh without Authorization');
}

/** Logs in, and adds what the answer shows to the findings. Throws Stop when the login is refused. */
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
      `the login was refused for its rate (${answer}): somebody else uses the tenant's 10 logins a minute; run again a minute later`,
    );
  if (login.response.status >= 500) return explainUnexpectedAnswer(probe, login, 'the login');
  return new Stop(
    'credentials',
    `the login of ${probe.options.account?.username} was refused (${answer}); check SITEPUB_USERNAME and SITEPUB_PASSWORD`,
  );
}

const expiryName =
  /^exp$|expir(e|es|ed|y|ation)|ttl|life_?(time|span)|valid_?(for|seconds|until|till|to|time|thru)|^validity|max_?age|有效期|过期/i;
/** The expiry of something else. */
const otherThing = /refresh|password|csrf|user|account|tenant|plan|licen[cs]e|trial|member/i;
const yearSeconds = 31_536_000;

interface Lifetime {
  leaf: JsonLeaf;
  /** Where the value is itself the remaining lifetime in seconds. */
  isPlain: boolean;
  seconds: number;
}

/** Adds what the login answer says of the token's lifetime. */
export function findExpiry({ findings, clock }: Probe, login: Exchange): undefined {
  const sent = { atMs: momentOf(login, clock.now()), tookMs: Math.max(0, clock.now() - login.at) };
  const lifetimes = answerLeaves(login.response.json)
    .filter(({ pointer, name }) => expiryName.test(name) && !otherThing.test(pointer))
    .flatMap((leaf) => lifetimeAt(leaf, sent.atMs));
  const plain = lifetimes.find(({ isPlain }) => isPlain);
  const shown = plain ?? lifetimes[0];
  const { pointer = 'absent', value } = plain?.leaf ?? {};
  const number = plain ? `the whole number ${value} at ${pointer}` : 'no such number';
  findings.found('login.expires-in', pointer, `the login answer had ${number}`);
  if (!shown) return;
  const seconds = roundUp(shown, sent.tookMs);
  const what = `${writeJson(shown.leaf.value)} at ${shown.leaf.pointer}`;
  const rounding = seconds === shown.seconds ? '' : `, which is ${shown.seconds} s after it was sent`;
  const evidence = `the login answer had ${what}${rounding}; a token may be accepted somewhat longer`;
  findings.found('token.lifetime', seconds, evidence);
}

/** When an answer was sent, by the deployment's own clock where it shows it. */
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

/** The lifetime that is left, in seconds; NaN where the value is none of the usual forms. */
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
  // A local time without its offset could mean many moments.
  const moment = readIsoDateTime(text);
  return moment ? (moment.from - sentMs) / 1_000 : Number.NaN;
}

/** How many seconds an answer may have lost on its way, more than its request took. */
const lossSeconds = 5;
const minute = 60;

/** Lifetimes are whole minutes: what is left of one is a little less. */
function roundUp({ seconds, isPlain }: Lifetime, tookMs: number): number {
  // A Date header has left out the fraction of its second.
  const nearest = Math.ceil((seconds - (isPlain ? 0 : 1)) / minute) * minute;
  const missing = nearest - seconds;
  return nearest > 0 && missing <= lossSeconds + tookMs / 1_000 ? nearest : seconds;
}
