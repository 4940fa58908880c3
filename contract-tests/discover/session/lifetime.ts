// When a session token expires, as the login answer says: a number of seconds, or a moment in one of the usual forms.
import type { Exchange } from '../../core/exchange.ts';
import { answerLeaves, type JsonLeaf } from '../../core/json-leaves.ts';
import { writeJson } from '../../core/parse-json.ts';
import { readIsoDateTime } from '../../push-receiver/iso-date-time.ts';
import type { Probe } from '../probe.ts';

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
  if (plain)
    findings.found(
      'login.expires-in',
      plain.leaf.pointer,
      `the login answer had the whole number ${plain.leaf.value} at ${plain.leaf.pointer}`,
    );
  else findings.found('login.expires-in', 'absent', 'the login answer has no such number');
  if (!shown) return;
  const seconds = roundUp(shown, sent.tookMs);
  const what = `${writeJson(shown.leaf.value)} at ${shown.leaf.pointer}`;
  const rounding = seconds === shown.seconds ? '' : `, which is ${shown.seconds} s after it was sent`;
  findings.found(
    'token.lifetime',
    seconds,
    `the login answer had ${what}${rounding}; a token may be accepted somewhat longer`,
  );
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
  const duration =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text) ??
    /^(?:()(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (duration && text !== '') {
    const [, days = 0, hours = 0, minutes = 0, seconds = 0] = duration.map(Number).map((part) => part || 0);
    return days * 86_400 + hours * 3_600 + minutes * 60 + seconds;
  }
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
