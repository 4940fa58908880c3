// Makes the answers of tools safe: no secrets, no control characters, limited size.
import { unescape as decode } from 'node:querystring';
import { visible, visibleLines } from '../../contract-tests/core/visible-text.ts';
import { createSecrets, type Secrets } from '../../contract-tests/redaction/redact.ts';
import { redactTokens } from '../../mock/control/redact-request.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { isObject } from '../../openapi/json.ts';
import { isSecretVariable } from '../options/environment.ts';
import type { Environment } from '../options/flags.ts';
import { readSecretLines } from '../options/flags.ts';

/** Hiding a shorter value would hide other texts. */
const shortestHeader = 4;

/** Throws UsageError if a file with a secret cannot be read. */
export function secretsOfEnvironment(environment: Environment = process.env): Secrets {
  const secrets = createSecrets();
  for (const [variable, value = ''] of Object.entries(environment)) {
    if (/^https?_proxy$/i.test(variable))
      secrets.add('PROXY_PASSWORD', decode(/:([^:/@]+)@/.exec(value)?.[1] ?? ''));
    const name = variable.replace(/_FILE$/, '');
    const isFile = name !== variable;
    // The variable itself takes precedence over its file.
    if (!isSecretVariable(name) || value === '' || (isFile && environment[name])) continue;
    for (const one of isFile ? readSecretLines(name, value) : [value])
      if (!name.startsWith('SITEPUB_HEADER_') || one.length >= shortestHeader) secrets.add(name, one);
  }
  return secrets;
}

/** Hiding such a word, for example "secret", would also hide names of members. */
const plainWord = /^[a-z]{1,11}$/i;

/** Adds passwords, API keys and signing secrets. */
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

/** Characters of a whole answer as JSON. */
const longestAnswer = 60_000;

/** Maximum length of a text, and four times the maximum size of an array or object. If an answer is too long, the next value applies. */
const longestTexts = [4_000, 800, 160];

const deepest = 24;

/** Removes secrets, escapes control characters, and truncates long values. */
export function harmlessData(value: object, secrets: Secrets): Record<string, unknown> {
  for (const longest of longestTexts) {
    const data = clean(value, { secrets, longest }, 0);
    if (isObject(data) && JSON.stringify(data).length <= longestAnswer) return data;
  }
  return {
    too_long: 'the answer is too long even with shortened texts; ask for less, for example with limit',
  };
}

/** One line, for errors and progress. */
export function harmlessSentence(text: string, secrets: Secrets): string {
  return cut(visible(redact(text, secrets)), 1_000);
}

/** Line by line, because redact() cuts a text after 128 kB. */
export function harmlessText(text: string, secrets: Secrets): string {
  return visibleLines(text.split('\n').map(secrets.redact).join('\n'));
}

interface Bound {
  secrets: Secrets;
  longest: number;
}

function clean(value: unknown, bound: Bound, depth: number): unknown {
  // Redacted before it is cut, because half a secret is not recognized.
  if (typeof value === 'string') return cut(visibleLines(redact(value, bound.secrets)), bound.longest);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '…';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const shown = members
    .slice(0, bound.longest / 4)
    .map(([name, member]) => [name, clean(member, bound, depth + 1)] as const);
  const left = members.length - shown.length;
  if (Array.isArray(value))
    return [...shown.map(([, item]) => item), ...(left > 0 ? [`… and ${left} more`] : [])];
  const named = shown.map(([name, member]) => [cut(visible(redact(name, bound.secrets)), 200), member]);
  return Object.fromEntries(left > 0 ? [...named, ['…', `and ${left} more`]] : named);
}

function redact(text: string, secrets: Secrets): string {
  return redactTokens(secrets.redact(text));
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}… (${text.length - longest} more characters)`;
}
