// What can be learnt from a description, and what it does not tell.
import { isObject } from '../../../openapi/json.ts';
import { parsePointer } from '../../../openapi/json-pointer.ts';
import { gapValue, type Profile } from '../../../openapi/profile.ts';
import { type Gap, gaps } from '../../../openapi/registers.ts';
import { doneBy, readCall, type StatedCall } from '../../../openapi/stated-call.ts';
import { placeholdersOf, type Template, wholePlaceholder } from '../../../openapi/template.ts';
import type { Told } from './write-description.ts';

export interface ExpectedValue {
  /** As the profile states it; undefined for an operation that the deployment does not offer. */
  value: unknown;
  /** `call-only`: what is in the answer is not described; `untold`: nobody could tell. */
  known: 'whole' | 'call-only' | 'untold';
  /** The members of the value that the description does not tell, such as "status", "auth", "body" or "item.id". */
  untold: readonly string[];
}

/** By gap: every operation, and what the four documented endpoints show. */
export function expectedValues(profile: Profile, told: readonly Told[]): Record<string, ExpectedValue> {
  const operations = gaps
    .filter(({ kind }) => kind === 'operation')
    .map((gap) => [gap.id, expectOperation(gap, profile, told)]);
  const documented = Object.entries(shownBy).flatMap(([place, ids]) =>
    ids.map((id) => [id, expectDocumented(id, place, { profile, told })]),
  );
  return Object.fromEntries([...operations, ...documented]);
}

function expectOperation(gap: Gap, profile: Profile, told: readonly Told[]): ExpectedValue {
  const value = gapValue(profile, gap.id);
  const found = told.find(({ operation }) => operation.gaps.includes(gap.id));
  if (doneBy(value) !== undefined) return { value, known: found?.details ? 'whole' : 'untold', untold: [] };
  const call = readCall(value);
  if (!call || !found) return { value: undefined, known: 'whole', untold: [] };
  const isShown = found.answer && !found.hidden.includes(gap.id);
  const untold = [
    ...(found.status ? [] : ['status']),
    ...(found.auth ? [] : ['auth']),
    ...(found.bodies && isPlain(call.body) ? [] : ['body']),
    ...(Object.values(call.query).every(isPlainText) ? [] : ['query']),
    ...pointersOf(call, gap).filter((read) => !isShown || hasIndex(call[read])),
  ];
  return { value, known: isShown ? 'whole' : 'call-only', untold };
}

function pointersOf(call: StatedCall, { reads = [] }: Gap): string[] {
  return reads.filter((read) => typeof call[read] === 'string');
}

/** Whether a list stands on the way: a description has no numbers there. */
function hasIndex(pointer: unknown): boolean {
  return parsePointer(String(pointer)).some((segment) => /^\d+$/.test(segment));
}

/** Whether a description can say a body: an object whose members are values, texts, numbers or flags. */
function isPlain(template: Template): boolean {
  if (template === undefined) return true;
  if (isObject(template)) {
    const parts = Object.values(template);
    return parts.length > 0 && parts.every((part) => (isObject(part) ? isPlain(part) : isPlainText(part)));
  }
  return false;
}

function isPlainText(part: unknown): boolean {
  if (typeof part === 'string')
    return part !== '' && (wholePlaceholder(part) !== undefined || placeholdersOf(part).length === 0);
  return typeof part === 'number' || typeof part === 'boolean';
}

/** By the documented paths, the gaps that they show; those after "answer" only where the answer is described. */
const shownBy: Readonly<Record<string, readonly string[]>> = {
  login: ['login.token', 'login.expires-in', 'login.status'],
  refresh: ['refresh.token', 'refresh.status', 'refresh.request'],
  create: [
    ...['url', 'events', 'channel', 'secret'].flatMap((name) => [
      `subscription.request.${name}`,
      `subscription.response.${name}`,
    ]),
    ...['subscription.response.id', 'subscription.status', 'subscription.id-type'],
  ],
  test: ['hook-test.request', 'hook-test.status', 'hook-test.delivered'],
};

interface Description {
  profile: Profile;
  told: readonly Told[];
}

function expectDocumented(id: string, action: string, { profile, told }: Description): ExpectedValue {
  const resource = ['login', 'refresh'].includes(action) ? 'auth' : 'webhook';
  const found = told.find(
    ({ operation }) =>
      operation.gaps.length === 0 && operation.resource === resource && operation.action === action,
  );
  const value = gapValue(profile, id);
  const isPointer = gaps.find((gap) => gap.id === id)?.kind === 'pointer';
  const isTold = id.endsWith('.status')
    ? found?.status
    : isPointer
      ? found?.answer && !hasIndex(value)
      : id.endsWith('.request')
        ? value === 'none' || isPlain(value)
        : true;
  return { value, known: isTold ? 'whole' : 'untold', untold: [] };
}
