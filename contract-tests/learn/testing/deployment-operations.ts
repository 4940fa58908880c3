// The operations of the deployment that a profile describes, as its own developers know them.
import { type Operation, type OperationId, operationsOf } from '../../../openapi/operations.ts';
import type { Profile } from '../../../openapi/profile.ts';
import type { Random } from '../../../openapi/random-profile.ts';
import { findGap } from '../../../openapi/registers.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { placeholdersOf, wholePlaceholder } from '../../../openapi/template.ts';
import { answerOf } from './answer-values.ts';
import type { ApiOperation, ApiParameter, ApiValue, Words } from './api-model.ts';
import { valueOfTemplate } from './body-values.ts';
import { extraFields } from './extra-fields.ts';
import { fieldsOf, type Spelling } from './field-list.ts';
import { pascal } from './naming.ts';
import { operationWords } from './operation-words.ts';
import { isTellingPath } from './telling-paths.ts';
import { knownValue } from './value-words.ts';

/** What a framework calls a parameter in a path; `isLast` says whether no other comes after it. */
export type Rename = (placeholder: string, isLast: boolean) => string;

export interface DeploymentOptions {
  random: Random;
  spelling: Spelling;
  rename: Rename;
}

export function deploymentOperations(profile: Profile, options: DeploymentOptions): ApiOperation[] {
  const all = operationsOf(resolve(profile));
  const groups = Map.groupBy(all, ({ method, path }) => `${method} ${path}`);
  return [...groups.values()].map((sharing) =>
    joinOperations(sharing.map((one) => describe(one, profile, options))),
  );
}

function describe(operation: Operation, profile: Profile, options: DeploymentOptions): ApiOperation {
  const { id, method, gap } = operation;
  const { random, spelling } = options;
  const { resource, action, en, zh } = operationWords[id];
  const noun = nounOf(resource, operation.path);
  const variant = random.integer(0, Math.min(en.length, zh.length) - 1);
  const retype = retyper(profile);
  const { path, pathParameters } = renamePath(operation, options, retype);
  const body = operation.request && bodyOf(operation, { noun, retype, ...options });
  return {
    gaps: gap === undefined ? [] : [gap, ...(operation.also ?? [])],
    ...{ method, path, resource: noun, action },
    summary: { en: (en[variant] ?? en[0]).replaceAll('~', noun), zh: zh[variant] ?? zh[0] },
    ...(operation.also && { details: { en: `The ${noun} is published at once.`, zh: '创建后立即发布。' } }),
    needsWords: !isTellingPath({ method, path: operation.path, resource: noun, action }),
    pathParameters,
    query: [
      ...queryOf(operation, retype),
      ...fieldsOf(extraFields[id].query ?? '', spelling).filter(isFree(operation)),
    ],
    bodies: body ? [body] : [],
    answers: [
      answerOf(operation, {
        noun,
        action,
        retype,
        extras: extraFields[id],
        unstated: unstatedOf(operation),
        spelling,
        random,
      }),
    ],
    auth: operation.auth,
  };
}

/** What people call a resource is what its path calls it. */
function nounOf(resource: string, path: string): string {
  if (resource !== 'content') return resource;
  return /(entry|entries|article|post)/.exec(path)?.[1]?.replace('entries', 'entry') ?? resource;
}

function retyper({ values }: Profile): (role: string, value: ApiValue) => ApiValue {
  const type = values['subscription.id-type'];
  const types: Readonly<Record<string, Partial<ApiValue>>> = {
    uuid: { type: 'string', format: 'uuid', example: '5f0c9a52-7d0e-4b7c-9a0e-3f5d1c2b4a69' },
    string: { type: 'string', example: 'wh_8f3kq2' },
  };
  return (role, value) => (role === 'subscriptionID' ? { ...value, ...types[type] } : value);
}

type Retype = ReturnType<typeof retyper>;

function renamePath({ id, path, parameters }: Operation, { rename }: DeploymentOptions, retype: Retype) {
  const roles = placeholdersOf(path);
  // The documented path of a test names the subscription "id".
  const roleOf = (name: string) => (name === 'id' && id === 'testSubscription' ? 'subscriptionID' : name);
  const renamed = new Map(
    roles.map((name, index) => [name, rename(roleOf(name), index === roles.length - 1)]),
  );
  const pathParameters = parameters.map(({ name }): ApiParameter => {
    const role = roleOf(name);
    const placeholder = {
      placeholder: role,
      value: retype(role, knownValue(role, [renamed.get(name) ?? name])),
    };
    return { name: renamed.get(name) ?? name, isRequired: true, ...placeholder };
  });
  return {
    path: path.replace(/\{(\w+)\}/g, (_text, name: string) => `{${renamed.get(name) ?? name}}`),
    pathParameters,
  };
}

function queryOf({ query = [] }: Operation, retype: Retype): ApiParameter[] {
  return query.map(({ parameter, template, isRequired }) => {
    const placeholder = wholePlaceholder(template);
    const words = { en: `Always "${template}"`, zh: `固定为 ${template}` };
    const value = valueOfTemplate(template, { model: '', ofConstants: words, retype }, [parameter]);
    return { name: parameter, value, isRequired, ...(placeholder && { placeholder }) };
  });
}

function bodyOf(
  operation: Operation,
  { noun, retype, spelling, random }: DeploymentOptions & { noun: string; retype: Retype },
) {
  const { action } = operationWords[operation.id];
  const template = operation.request?.template;
  const model = pascal(action) + (pascal(action).includes(pascal(noun)) ? '' : pascal(noun));
  const body = valueOfTemplate(template, { model, ofConstants: constantWords(operation), retype });
  const extras = fieldsOf(extraFields[operation.id].request ?? '', spelling).filter(isFree(operation));
  const kept = extras.filter(() => random.chance(0.6));
  const taken = (body.properties ?? []).map(({ name }) => name);
  return {
    ...body,
    properties: [...(body.properties ?? []), ...kept.filter(({ name }) => !taken.includes(name))],
  };
}

function constantWords({ id, also }: Operation): Words {
  if (id === 'failPublish')
    return { en: 'Lets this publish fail, for tests', zh: '使本次发布失败（测试用）' };
  if (also) return { en: 'Publishes it at once', zh: '立即发布' };
  return { en: 'Always this value', zh: '固定值' };
}

/** A field that is in no way one of those that the profile's own values have. */
function isFree({ query = [], request }: Operation): (field: { name: string }) => boolean {
  const taken = [
    ...query.map(({ parameter }) => parameter),
    ...(request?.slots ?? []).flatMap(({ path }) => path),
  ];
  return ({ name }) => !taken.includes(name);
}

/** Several operations by one method and path. */
function joinOperations([first, ...others]: readonly ApiOperation[]): ApiOperation {
  if (!first) throw new Error('no operation to join');
  if (others.length === 0) return first;
  const all = [first, ...others];
  const queries = new Map(all.flatMap(({ query }) => query.map((one) => [one.name, one] as const)));
  const inAll = (name: string) => all.every(({ query }) => query.some((one) => one.name === name));
  const details = {
    en: `Also: ${others.map(({ summary }) => summary.en).join('; ')}.`,
    zh: `也用于：${others.map(({ summary }) => summary.zh).join('；')}。`,
  };
  return {
    ...first,
    gaps: all.flatMap(({ gaps }) => gaps),
    details: first.details
      ? { en: `${first.details.en} ${details.en}`, zh: first.details.zh + details.zh }
      : details,
    needsWords: true,
    query: [...queries.values()].map((one) => ({ ...one, isRequired: one.isRequired && inAll(one.name) })),
    bodies: all.flatMap(({ bodies }) => bodies),
    answers: all.flatMap(({ answers, gaps: [gap] }) =>
      answers.map((one) => ({ ...one, ...(gap !== undefined && { gap }) })),
    ),
  };
}

/** The values that an answer could show, and the profile does not say that it does. */
function unstatedOf({ id, gap, success: { layout } }: Operation): string[] {
  const reads = gap === undefined ? (documentedReads[id] ?? []) : (findGap(gap)?.reads ?? []);
  const stated = [...Object.keys(layout.values), ...Object.keys(layout.items).map((name) => `item.${name}`)];
  return reads.filter((read) => !stated.includes(read)).map((read) => read.replace('item.', ''));
}

const documentedReads: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  login: ['token', 'expires_in'],
  refresh: ['token'],
  createSubscription: ['id', 'url', 'events', 'channel', 'secret'],
  testSubscription: ['delivered'],
};
