// Draws operations that are no business of ours, in the manner of the deployment's own.
import { placeholdersOf } from '../../../openapi/template.ts';
import type { ApiOperation, ApiProperty, ApiValue } from './api-model.ts';
import type { DeploymentOptions } from './deployment-operations.ts';
import { fieldsOf, type Spelling, spell } from './field-list.ts';
import { kebab, pascal, wordsIn } from './naming.ts';
import { type NoiseRow, noiseRows } from './noise-rows.ts';
import { pinyin } from './pinyin-paths.ts';
import { knownValue } from './value-words.ts';

/** 15 to 60 of them; none has the method and path of one of the deployment's own. */
export function noiseOperations(own: readonly ApiOperation[], options: DeploymentOptions): ApiOperation[] {
  const { random } = options;
  const gaps = new Set(own.flatMap((operation) => operation.gaps));
  const taken = new Set(own.map(keyOf));
  const habits = { ...options, isRpc: isRpc(own), nouns: nounsOf(own), end: endOf(own) };
  const rows = random
    .shuffle(noiseRows.filter(({ besides }) => besides === undefined || gaps.has(besides)))
    .slice(0, random.integer(15, 60));
  return rows
    .map((row) => describe(row, habits))
    .filter((operation) => {
      const key = keyOf(operation);
      const isNew = !taken.has(key);
      taken.add(key);
      return isNew;
    });
}

/** Its method and path, whatever the parameters are called. */
function keyOf({ method, path }: ApiOperation): string {
  return `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`;
}

interface Habits extends DeploymentOptions {
  /** Whether every call is a POST to a path that ends in a verb. */
  isRpc: boolean;
  /** What the deployment's own paths end in: "/" or nothing. */
  end: string;
  /** The segments of the profile's paths that stand for those of the rows. */
  nouns: Readonly<Record<string, string>>;
}

function isRpc(own: readonly ApiOperation[]): boolean {
  const asked = own.filter(({ gaps }) => gaps.length > 0);
  return asked.length > 2 && asked.filter(({ method }) => method === 'POST').length > asked.length * 0.8;
}

function endOf(own: readonly ApiOperation[]): string {
  const asked = own.filter(({ gaps }) => gaps.length > 0);
  return asked.length > 0 && asked.every(({ path }) => path.endsWith('/')) ? '/' : '';
}

/** What the deployment calls sites, contents and keys, and anything where its paths are in pinyin. */
function nounsOf(own: readonly ApiOperation[]): Record<string, string> {
  const pathOf = (resource: string, action: string) =>
    own
      .find((one) => one.resource === resource && one.action === action)
      ?.path.split('/')
      .filter((segment) => segment !== '' && !segment.startsWith('{'))
      .at(-1);
  const keys = pathOf('apiKey', 'create');
  const contents = own.find(
    (one) => ['content', 'entry', 'article', 'post'].includes(one.resource) && one.action === 'create',
  );
  const segment = contents?.path.split('/').findLast((one) => /^[a-z]+$/i.test(one));
  const sites = pathOf('site', 'create') ?? '';
  return {
    ...(own.some(({ path }) => path.includes('zhandian')) && pinyin),
    ...(keys && /^[a-z-]+$/i.test(keys) && { keys }),
    ...(segment && { contents: segment }),
    ...(/^(projects|websites)$/.test(sites) && { sites }),
  };
}

function describe(row: NoiseRow, habits: Habits): ApiOperation {
  const { random, spelling, rename } = habits;
  const [resource = '', action = ''] = row.name.split(' ');
  const [verb = 'GET', given = ''] = row.call.split(' ');
  const isOwnPath = !habits.isRpc || /^\/(auth|health|v2)/.test(given);
  const path = (isOwnPath ? restPath(given, habits) : rpcPath(given, row, habits)) + habits.end;
  const inPath = placeholdersOf(path);
  const names = new Map(inPath.map((name, index) => [name, rename(name, index === inPath.length - 1)]));
  const identifiers = placeholdersOf(given)
    .filter((name) => !inPath.includes(name))
    .map((name) => idField(name, spelling));
  const query = fieldsOf(row.query ?? '', spelling);
  const body = [...identifiers, ...fieldsOf(row.body ?? '', spelling), ...(isOwnPath ? [] : query)];
  return {
    gaps: [],
    method: isOwnPath ? verb : 'POST',
    path: path.replace(/\{(\w+)\}/g, (_text, name: string) => `{${names.get(name) ?? name}}`),
    ...{ resource, action, summary: { en: row.en, zh: row.zh }, needsWords: false },
    pathParameters: inPath.map((name) => ({ ...idField(name, spelling), name: names.get(name) ?? name })),
    query: isOwnPath ? query : [],
    bodies: body.length > 0 ? [objectOf(body, pascal(action) + pascal(resource))] : [],
    answers: [{ status: verb === 'POST' && random.chance(0.3) ? 201 : 200, body: envelopeOf(row, spelling) }],
    auth: /^\/(auth\/(admin|sms)|health)/.test(given) ? 'none' : 'bearer',
    ...(row.isDeprecated && { isDeprecated: true }),
  };
}

/** Below a webhook the documented names stay. */
function restPath(given: string, { nouns }: Habits): string {
  if (given.includes('/webhooks/')) return given;
  return renameSegments(given, nouns);
}

function rpcPath(given: string, row: NoiseRow, { nouns }: Habits): string {
  const [resource = '', action = ''] = row.name.split(' ');
  const root = given.startsWith('/admin') ? '/admin' : '/tenant';
  return renameSegments(`${root}/${kebab(resource.replace(/^admin/, ''))}/${kebab(action)}`, nouns);
}

function renameSegments(path: string, nouns: Readonly<Record<string, string>>): string {
  return path
    .split('/')
    .map((segment) => nouns[segment] ?? segment)
    .join('/');
}

function idField(placeholder: string, spelling: Spelling): ApiProperty {
  const known = knownValue(placeholder, [placeholder]);
  const name = placeholder.replace(/^subscriptionID$/, 'webhookID');
  const noun = wordsIn(name).slice(0, -1).join(' ');
  const value: ApiValue = {
    ...known,
    type: 'integer',
    words: { en: `ID of the ${noun}`, zh: `${noun} ID` },
    needsWords: false,
  };
  return { name: spell(name, spelling), isRequired: true, value };
}

function objectOf(properties: readonly ApiProperty[], model: string): ApiValue {
  return { type: 'object', properties, model };
}

function envelopeOf({ name, data, item }: NoiseRow, spelling: Spelling): ApiValue {
  const [resource = '', action = ''] = name.split(' ');
  const items =
    item === undefined
      ? undefined
      : objectOf(fieldsOf(item, spelling), pascal(resource) + (action === 'list' ? '' : pascal(action)));
  const inData: ApiProperty[] = items
    ? [
        { name: 'list', isRequired: true, value: { type: 'array', items } },
        { name: 'total', isRequired: true, value: { type: 'integer', example: 1 } },
      ]
    : fieldsOf(data ?? '', spelling);
  const model = items
    ? `${pascal(resource)}${action === 'list' ? '' : pascal(action)}Page`
    : `${pascal(resource)}${pascal(action)}Result`;
  return objectOf(
    [
      ...envelope.slice(0, 2),
      { name: 'data', isRequired: inData.length > 0, value: objectOf(inData, model) },
      ...envelope.slice(2),
    ],
    'ApiResponse',
  );
}

const envelope: readonly ApiProperty[] = [
  {
    name: 'code',
    isRequired: true,
    value: {
      type: 'integer',
      example: 0,
      words: { en: '0 on success, otherwise a business error code', zh: '业务码，0表示成功' },
    },
  },
  {
    name: 'message',
    isRequired: true,
    value: {
      type: 'string',
      example: 'success',
      words: { en: '"success", or what went wrong', zh: '提示信息' },
    },
  },
  {
    name: 'trace_id',
    isRequired: true,
    value: {
      type: 'string',
      example: '4bf92f3577b34da6',
      words: { en: 'Request trace identifier', zh: '链路追踪ID' },
    },
  },
];
