// What a tool answers, made fit to hand on: without secrets, with everything visible, and of bounded size.
import { unescape as decode } from 'node:querystring';
import { visible, visibleLines } from '../../contract-tests/core/visible-text.ts';
import { createSecrets, type Secrets } from '../../contract-tests/redaction/redact.ts';
import { redactTokens } from '../../mock/control/redact-request.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { isObject } from '../../openapi/json.ts';
import { isSecretVariable } from '../options/environment.ts';
import type { Environment } from '../options/flags.ts';
import { readSecretLines } from '../options/flags.ts';

/** A header of fewer letters keeps no secret; hiding it would only hide other texts. */
const shortestHeader = 4;

/** The secrets that the environment holds. Throws UsageError where a file of one can't be read. */
export function secretsOfEnvironment(environment: Environment = process.env): Secrets {
  const secrets = createSecrets();
  for (const [variable, value = ''] of Object.entries(environment)) {
    if (/^https?_proxy$/i.test(variable))
      secrets.add('PROXY_PASSWORD', decode(/:([^:/@]+)@/.exec(value)?.[1] ?? ''));
    const name = variable.replace(/_FILE$/, '');
    const isFile = name !== variable;
    // A file counts only where the variable itself is not set.
    if (!isSecretVariable(name) || value === '' || (isFile && environment[name])) continue;
    for (const one of isFile ? readSecretLines(name, value) : [value])
      if (!name.startsWith('SITEPUB_HEADER_') || one.length >= shortestHeader) secrets.add(name, one);
  }
  return secrets;
}

/** To hide one of these, such as "secret", would hide names of members. */
const plainWord = /^[a-z]{1,11}$/i;

/** Adds what gives access to tenants of a mock, and what signs their pushes. */
export function addSecretsOf(tenants: readonly Schemas['Tenant'][], secrets: Secrets): void {
  const add = (name: string, value = '') => {
    if (!plainWord.test(value)) secrets.add(name, value);
  };
  for (const { users, api_keys: keys, signing_secrets: signing = [] } of tenants) {
    for (const { password } of users) add('SITEPUB_PASSWORD', password);
    for (const { key } of keys) add('SITEPUB_API_KEY', key);
    for (const secret of signing) add('SITEPUB_WEBHOOK_SECRET', secret);
  }
}

/** A whole answer as JSON, in characters. */
const longestAnswer = 60_000;

/** How long a text may be, and a quarter of it how many members an array or object may have; the next one is tried where an answer is too long. */
const longestTexts = [4_000, 800, 160];

/** Deeper values are left out. */
const deepest = 24;

/** The same data without secrets, in visible characters; what is too long is cut, and says so. */
export function harmlessData(value: object, secrets: Secrets): Record<string, unknown> {
  for (const longest of longestTexts) {
    const data = clean(value, { secrets, longest }, 0);
    if (isObject(data) && JSON.stringify(data).length <= longestAnswer) return data;
  }
  return { too_long: 'the answer is too long even with shortened texts; ask for less, for example with limit' };
}

/** A sentence in one line: for messages of errors and progress. */
export function harmlessSentence(text: string, secrets: Secrets): string {
  return cut(visible(redact(text, secrets)), 1_000);
}

/** Line by line, since a text that is redacted as a whole ends after 128 kB. */
export function harmlessText(text: string, secrets: Secrets): string {
  return visibleLines(text.split('\n').map(secrets.redact).join('\n'));
}

interface Bound {
  secrets: Secrets;
  longest: number;
}

function clean(value: unknown, bound: Bound, depth: number): unknown {
  // Redacted as a whole first: half a secret is not recognized.
  if (typeof value === 'string') return cut(visibleLines(redact(value, bound.secrets)), bound.longest);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '…';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const kept = members
    .slice(0, bound.longest / 4)
    .map(([name, member]) => [name, clean(member, bound, depth + 1)] as const);
  const left = members.length - kept.length;
  if (Array.isArray(value))
    return [...kept.map(([, item]) => item), ...(left > 0 ? [`… and ${left} more`] : [])];
  const named = kept.map(([name, member]) => [cut(visible(redact(name, bound.secrets)), 200), member]);
  return Object.fromEntries(left > 0 ? [...named, ['…', `and ${left} more`]] : named);
}

function redact(text: string, secrets: Secrets): string {
  return redactTokens(secrets.redact(text));
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}… (${text.length - longest} more characters)`;
}
