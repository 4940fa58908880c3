// Finds field names in refusals: in members such as `field` or `errors`, and in the message.
import { isObject } from '../../../openapi/json.ts';
import { type Exchange, envelopeOf } from '../../core/exchange.ts';
import { isFailure } from '../../core/failures.ts';
import { jsonLeavesOf } from '../../core/json-leaves.ts';
import { writeJson } from '../../core/parse-json.ts';
import { isRefused } from '../ask/refusals.ts';
import { unique } from './likely.ts';

/** `sure`: words in places of a refusal that name a field; `possible`: all other words. */
export interface HintedNames {
  sure: readonly string[];
  possible: readonly string[];
}

export function hintedNames(refusal: Exchange): HintedNames {
  if (!mayName(refusal)) return { sure: [], possible: [] };
  const { code: _code, message, trace_id: _trace, ...rest } = envelopeOf(refusal);
  const texts = [String(message ?? ''), ...jsonLeavesOf(rest).map(({ value }) => String(value ?? ''))];
  const text = texts.join('\n').slice(0, longestHint);
  const sure = unique([...namesInMembers(rest), ...quotedNames(text), ...requiredNames(text)]);
  const possible = namesIn(`${text} ${writeJson(rest).slice(0, longestHint)}`).filter(
    (name) => !sure.includes(name),
  );
  return { sure, possible };
}

/** Failures and rate refusals name no fields. */
function mayName(refusal: Exchange): boolean {
  return isRefused(refusal) && !isFailure(refusal);
}

/** Words of the message that could be field names. */
export function namesInMessage(refusal: Exchange): string[] {
  return mayName(refusal) ? namesIn(String(envelopeOf(refusal).message ?? '')) : [];
}

/** In characters; longer texts are cut. */
const longestHint = 8_192;

function namesIn(text: string): string[] {
  return unique(text.match(/[A-Za-z_][A-Za-z0-9_-]*/g) ?? []);
}

const nameMember =
  /^(fields?|field_?name|param(eter)?s?|propert(y|ies)|path|pointer|instance_?path|loc(ation)?|attribute|name|key|missing|required)$/i;
const mapMember = /^(errors?|details?|fields|violations|invalid|messages|validation_?errors)$/i;

function namesInMembers(node: unknown, member = ''): string[] {
  if (typeof node === 'string') return nameMember.test(member) ? [lastNameOf(node)].filter(isName) : [];
  if (Array.isArray(node)) return namesInList(node, member);
  if (!isObject(node)) return [];
  const isKey = (name: string) => isName(name) && !nameMember.test(name);
  const keys = mapMember.test(member) ? Object.keys(node).map(lastNameOf).filter(isKey) : [];
  return [...keys, ...Object.entries(node).flatMap(([key, part]) => namesInMembers(part, key))];
}

/** A list is one path (`["body", "url"]`) or several names. */
function namesInList(list: readonly unknown[], member: string): string[] {
  if (!/^(path|loc(ation)?)$/i.test(member)) return list.flatMap((item) => namesInMembers(item, member));
  const last = list.findLast((item) => typeof item === 'string' && !/^\d+$/.test(item));
  return typeof last === 'string' && isName(last) ? [last] : [];
}

/** The last name in "body.url", "/events/0" or "$.channel". */
function lastNameOf(path: string): string {
  return path.split(/[./[\]]+/).findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? '';
}

function isName(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u.test(text);
}

function quotedNames(text: string): string[] {
  const quoted = [...text.matchAll(/["'`“‘「『【]([^"'`”’」』】\s]{1,80})["'`”’」』】]/g)];
  return quoted.map(([, name = '']) => lastNameOf(name)).filter(isName);
}

const subject = String.raw`(?<![A-Za-z_])([A-Za-z_][\w.[\]-]{0,100})`;
const required = [
  new RegExp(String.raw`^\s*${subject}:\s`, 'gm'),
  new RegExp(
    String.raw`${subject}\W{1,3}(?:is|are|was|must|should|may|can(?:no|')t|cannot|has|have|required|missing|不能|必填|为空|缺少|不可)`,
    'g',
  ),
  new RegExp(
    String.raw`(?:missing|required|require|requires|need|needs|expects?|without|缺少|缺失|参数|字段)\W{0,3}(?:the |a |an )?(?:required )?(?:field|parameter|param|property|参数|字段)?\W{0,3}${subject}`,
    'gi',
  ),
];

/** Names in phrases such as "url is required" or "missing parameter: url". */
function requiredNames(text: string): string[] {
  const found = required.flatMap((pattern) => [...text.matchAll(pattern)]);
  return found.map(([, name = '']) => lastNameOf(name)).filter((name) => isName(name) && !isFiller(name));
}

function isFiller(name: string): boolean {
  return /^(it|that|this|which|there|and|or|field|fields|parameter|param|parameters|property|value|body|request|is|are|the|must|not|be|to|of|in|required|missing|error|errors|invalid|validation|warning)$/i.test(
    name,
  );
}
