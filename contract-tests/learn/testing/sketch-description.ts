import type { Json } from '../../../openapi/json.ts';
import type { DescribedOperation } from '../described-operation.ts';
import { describeOperations } from '../description/describe-operations.ts';

/**
 * Reads lines such as
 * `POST /site/publish called publishSite says 发布站点 query lang body siteId* remark mode*=fast answer versionNo:integer`.
 * A star marks required fields, `data*{name,note}` is an object with members, and `list[…]` a list of objects. Answer fields are below /data.
 */
export function sketchOperations(text: string): DescribedOperation[] {
  const paths: Record<string, Json> = {};
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [method = '', path = '', ...words] = line.split(/\s+/);
    paths[path] = { ...paths[path], [method.toLowerCase()]: sketchOperation(path, words) };
  }
  return describe({ paths }, '/api/v1');
}

export function describe(description: object, basePath?: string): DescribedOperation[] {
  return describeOperations({ openapi: '3.1.0', ...description }, { name: 'api', text: '', basePath });
}

export function jsonBody(schema: Json): { content: Json } {
  return { content: { 'application/json': { schema } } };
}

const keywords = ['called', 'says', 'tags', 'query', 'body', 'answer', 'deprecated'];

function sketchOperation(path: string, words: readonly string[]): Json {
  const parts = new Map<string, string[]>();
  let keyword = '';
  for (const word of words) {
    const isKeyword = keywords.includes(word) && !parts.has(word);
    if (isKeyword) keyword = word;
    parts.set(keyword, [...(parts.get(keyword) ?? []), ...(isKeyword ? [] : [word])]);
  }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(`${name}*`, 'path'));
  const [id] = parts.get('called') ?? [];
  const says = parts.get('says')?.join(' ');
  const body = parts.get('body');
  const answer = parts.get('answer');
  return {
    ...(id !== undefined && { operationId: id }),
    ...(says !== undefined && { summary: says }),
    ...(parts.has('tags') && { tags: parts.get('tags') }),
    ...(parts.has('deprecated') && { deprecated: true }),
    parameters: [...inPath, ...(parts.get('query') ?? []).map((word) => parameter(word, 'query'))],
    ...(body && { requestBody: jsonBody(objectOf(body)) }),
    responses: { 200: answer ? answerOf(answer) : { description: 'OK' } },
  };
}

function answerOf(words: readonly string[]): Json {
  const envelope = { code: { type: 'integer' }, message: { type: 'string' }, data: objectOf(words) };
  const schema = { type: 'object', properties: { ...envelope, trace_id: { type: 'string' } } };
  return { description: 'OK', content: { '*/*': { schema } } };
}

function parameter(word: string, place: string): Json {
  const { name, isRequired, schema } = field(word);
  return { name, in: place, required: isRequired, schema };
}

function objectOf(words: readonly string[]): Json {
  const fields = words.map(field);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/** `name*:type=constant`, `data*{name,note}` or `list[id,name]`. */
function field(word: string): { name: string; isRequired: boolean; schema: Json } {
  const [, holder, needed, members = ''] = /^(\w+)(\*)?\{(.*)\}$/.exec(word) ?? [];
  if (holder !== undefined)
    return { name: holder, isRequired: needed !== undefined, schema: objectOf(members.split(',')) };
  const [, list, items] = /^(\w+)\[(.*)\]$/.exec(word) ?? [];
  if (list !== undefined)
    return {
      name: list,
      isRequired: false,
      schema: { type: 'array', items: objectOf((items ?? '').split(',')) },
    };
  const [, name = '', star, type = 'string', constant] =
    /^([^*:=]+)(\*)?(?::(\w+))?(?:=(.+))?$/.exec(word) ?? [];
  return {
    name,
    isRequired: star !== undefined,
    schema: { type, ...(constant !== undefined && { enum: constant.split('|') }) },
  };
}
