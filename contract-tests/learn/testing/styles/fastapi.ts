// What FastAPI makes of its functions: OpenAPI 3.1.0.
import type { Json } from '../../../../openapi/json.ts';
import { wrapInClass } from '../add-envelope.ts';
import type { ApiValue } from '../api-model.ts';
import type { Framework } from '../framework.ts';
import { functionOf } from '../framework-names.ts';
import { snake, titleCase } from '../naming.ts';
import { snakeIds } from '../renames.ts';
import type { Style } from '../style.ts';

/**
 * Every operation has a summary that is the name of its function, one of four a description, which is the docstring; six answers of ten are
 * described, the others have an empty schema; three fields of ten are described. Everything has a title.
 */
export const fastapi: Style = {
  rename: () => snakeIds,
  framework: ({ random }) => {
    const prefix = random.pick(['/api/v1', '/api/v1', '']);
    const scheme = random.pick(['HTTPBearer', 'OAuth2PasswordBearer']);
    const language = random.pick(['en', 'zh'] as const);
    const answers = random.pick([0.9, 0.6, 0.4]);
    return {
      dialect: {
        ...{ version: '3.1', language, descriptions: 0.3, marksRequired: true },
        className: (model, purpose) =>
          purpose === 'request' ? model : model.startsWith('ApiResponse') ? model : `${model}Out`,
        finish: titled,
        finishClass: (schema, name) => ({ ...schema, title: name.replace(/_(.+)_$/, '[$1]') }),
      },
      head: {
        openapi: '3.1.0',
        info: { title: 'FastAPI', version: '0.1.0' },
        ...(prefix === '' && { servers: [{ url: '/api/v1' }] }),
      },
      components: { securitySchemes: { [scheme]: schemes[scheme] } },
      prefix,
      idOf: (operation) =>
        `${snake(functionOf(operation))}${prefix}${operation.path}_${operation.method.toLowerCase()}`.replace(
          /\W/g,
          '_',
        ),
      textsOf: (operation) => {
        const { resource, summary, details, needsWords } = operation;
        const isSaid = needsWords || random.chance(0.25);
        const text = [summary[language], ...(details ? [details[language]] : [])].join('\n\n');
        return {
          tags: [snake(resource)],
          summary: titleCase(functionOf(operation)),
          ...(isSaid && { description: text }),
        };
      },
      wrap: (body, _operation, writer) =>
        wrapInClass(
          body,
          writer,
          (data) => `ApiResponse_${data?.model === undefined ? 'dict' : `${data.model}Out`}_`,
        ),
      showsAnswer: () => random.chance(answers),
      hiddenAnswer: {},
      descriptionOf: () => 'Successful Response',
      alternatives: 'anyOf',
      failuresOf: ({ bodies, pathParameters, query }, writer) =>
        bodies.length + pathParameters.length + query.length === 0
          ? {}
          : { '422': validationError(writer.add) },
      securityOf: ({ auth }) => (auth === 'none' ? {} : { security: [{ [scheme]: [] }] }),
      tellsAuth: 'whether',
    } satisfies Framework;
  },
};

const schemes: Readonly<Record<string, Json>> = {
  HTTPBearer: { type: 'http', scheme: 'bearer' },
  OAuth2PasswordBearer: {
    type: 'oauth2',
    flows: { password: { scopes: {}, tokenUrl: 'api/v1/auth/tenant/login' } },
  },
};

/** A class has the title of its name, a field that of its own; what may be null is one of two. */
function titled(schema: Json, value: ApiValue, name: string | undefined): Json {
  if (schema.$ref !== undefined) return schema;
  const title = name === undefined ? {} : { title: titleCase(name) };
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || !value.isNullable) return { ...schema, ...title };
  const { description, ...inner } = rest;
  const about = { ...title, ...(description !== undefined && { description }) };
  return { anyOf: [{ type: type[0], ...inner }, { type: 'null' }], ...about };
}

function validationError(add: (name: string, schema: Json) => Json): Json {
  const location = {
    items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    type: 'array',
    title: 'Location',
  };
  const one = add('ValidationError', {
    properties: {
      loc: location,
      msg: { type: 'string', title: 'Message' },
      type: { type: 'string', title: 'Error Type' },
    },
    ...{ type: 'object', required: ['loc', 'msg', 'type'], title: 'ValidationError' },
  });
  const schema = add('HTTPValidationError', {
    properties: { detail: { items: one, type: 'array', title: 'Detail' } },
    ...{ type: 'object', title: 'HTTPValidationError' },
  });
  return { description: 'Validation Error', content: { 'application/json': { schema } } };
}
