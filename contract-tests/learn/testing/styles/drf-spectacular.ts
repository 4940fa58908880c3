// What drf-spectacular makes of the views of Django REST framework: OpenAPI 3.0.3.
import type { Json } from '../../../../openapi/json.ts';
import { wrapInClass } from '../add-envelope.ts';
import type { ApiOperation, ApiValue } from '../api-model.ts';
import { fieldsOf } from '../field-list.ts';
import type { Framework } from '../framework.ts';
import { freeName } from '../framework-names.ts';
import { pascal, snake } from '../naming.ts';
import { primaryKeys, snakeIds } from '../renames.ts';
import type { Style } from '../style.ts';
import { withTrailingSlashes } from '../trailing-slashes.ts';

/**
 * An operation of three has a description, which is the docstring of its view; eight answers of ten are described; two fields of ten are. Requests
 * have the class of their answers, with read-only members, in half of the projects. Half of the projects end their paths in slashes.
 */
export const drfSpectacular: Style = {
  adapt: (profile, random) => (random.chance(0.5) ? withTrailingSlashes(profile) : profile),
  rename: (random) => (random.chance(0.5) ? primaryKeys : snakeIds),
  framework: ({ random }) => {
    const scheme = random.pick(['tokenAuth', 'jwtAuth']);
    const language = random.pick(['en', 'en', 'zh'] as const);
    const isOneClass = random.chance(0.5);
    const open = random.chance(0.5) ? [{}] : [{ [scheme]: [] }, {}];
    return {
      dialect: {
        ...{ version: '3.0', language, descriptions: 0.2, marksRequired: true },
        className: (model, purpose) =>
          purpose === 'request' ? `${model}Request` : model.replace(/^(.+)Page$/, 'Paginated$1List'),
        enumName: (name) => `${pascal(name)}Enum`,
        finish: bounded,
      },
      head: { openapi: '3.0.3', info: { title: '', version: '0.0.0' } },
      components: { securitySchemes: { [scheme]: schemes[scheme] } },
      prefix: '/api/v1',
      idOf: (operation, taken) => freeName(nameOf(operation), taken, (name, count) => `${name}_${count + 1}`),
      textsOf: ({ path, summary, details, needsWords }) => {
        const isSaid = needsWords || random.chance(0.33);
        const text = [summary[language], ...(details ? [details[language]] : [])].join('\n\n');
        return { ...(isSaid && { description: text }), tags: [path.split('/')[1] ?? 'api'] };
      },
      wrap: (body, _operation, writer) =>
        wrapInClass(
          body,
          writer,
          (data) => `${pascal(data?.model?.replace(/Page$/, 'List') ?? 'Empty')}Response`,
        ),
      showsAnswer: () => random.chance(0.8),
      descriptionOf: () => '',
      requestTypes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
      alternatives: 'oneOf',
      ...(isOneClass && { changeBody: withReadOnly }),
      securityOf: ({ auth }) => ({ security: auth === 'none' ? open : [{ [scheme]: [] }] }),
      tellsAuth: 'whether',
      finishParameter: ({ name, in: place, required, description, schema }) => ({
        ...{ in: place, name, schema },
        ...(required === true && { required }),
        ...(description !== undefined && { description }),
      }),
    } satisfies Framework;
  },
};

const schemes: Readonly<Record<string, Json>> = {
  tokenAuth: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'Token-based authentication with required prefix "Bearer"',
  },
  jwtAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
};

/** "tenant_sites_list": made of the path without parameters, and of what the method does. */
function nameOf({ path, method, action, answers }: ApiOperation): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const isList = action === 'list' && answers.length > 0;
  const verbs: Readonly<Record<string, string>> = {
    GET: isList ? 'list' : 'retrieve',
    POST: 'create',
    PUT: 'update',
    PATCH: 'partial_update',
    DELETE: 'destroy',
  };
  return snake([...segments, verbs[method] ?? 'create'].join('_'));
}

function bounded(schema: Json, _value: ApiValue, name: string | undefined): Json {
  if (name === undefined || schema.type !== 'string' || schema.format || schema.enum) return schema;
  return /name|title|label/i.test(name) ? { ...schema, maxLength: 255 } : schema;
}

/** The class of a request is that of the thing, whose identifier and times are read-only. */
function withReadOnly(body: ApiValue, { action }: ApiOperation): ApiValue {
  const taken = (body.properties ?? []).map(({ name }) => name);
  if (!['create', 'update'].includes(action)) return body;
  const readOnly = fieldsOf('id created_at updated_at', 'snake').filter(({ name }) => !taken.includes(name));
  return {
    ...body,
    properties: [...readOnly.map((one) => ({ ...one, isReadOnly: true })), ...(body.properties ?? [])],
  };
}
