// A description that was written with care, as generators of clients such as hey-api want it: OpenAPI 3.1.
import type { Json } from '../../../../openapi/json.ts';
import { wrapInGeneric } from '../add-envelope.ts';
import type { ApiOperation } from '../api-model.ts';
import { freeName, functionOf } from '../framework-names.ts';
import { plural, titleCase } from '../naming.ts';
import { camelIds, lastIsId, pickRename, snakeIds } from '../renames.ts';
import type { Style } from '../style.ts';
import type { Dialect } from '../write-schema.ts';

/** Every operation has a summary, every answer a schema, nine fields of ten a description, every second one an example; security tells session tokens from API keys. */
export const openapiClean: Style = {
  rename: (random) => pickRename(random, [camelIds, lastIsId, snakeIds]),
  framework: ({ random, origin }) => {
    const isPrefixed = random.chance(0.4);
    return {
      dialect,
      head: {
        openapi: '3.1.0',
        info: {
          title: 'Site Builder API',
          version: '1.4.0',
          description: 'Build, publish and manage websites.',
        },
        servers: [{ url: isPrefixed ? origin : `${origin}/api/v1`, description: 'Production' }],
      },
      components: { securitySchemes },
      prefix: isPrefixed ? '/api/v1' : '',
      idOf: (operation, taken) => freeName(functionOf(operation), taken),
      textsOf: ({ resource, summary, details }) => ({
        tags: [titleCase(plural(resource))],
        summary: summary.en,
        ...(details && { description: details.en }),
      }),
      wrap: (body, _operation, writer) => wrapInGeneric(body, writer, 'ApiResponse'),
      showsAnswer: () => true,
      descriptionOf: (status) => (status === 201 ? 'Created.' : 'Success.'),
      alternatives: 'oneOf',
      failuresOf: (_operation, writer) => ({
        default: {
          description: 'Error.',
          content: { 'application/json': { schema: writer.add('ErrorResponse', failure) } },
        },
      }),
      securityOf,
      tellsAuth: 'kinds',
    };
  },
};

const dialect: Dialect = {
  version: '3.1',
  language: 'en',
  className: (model, purpose) => (purpose === 'request' ? `${model}Request` : model),
  descriptions: 0.9,
  examples: 0.5,
  marksRequired: true,
  finish: (schema) => {
    const { example, ...rest } = schema;
    return example === undefined ? schema : { ...rest, examples: [example] };
  },
};

const securitySchemes: Json = {
  sessionToken: { type: 'http', scheme: 'bearer', description: 'The session token that a login gives.' },
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, which starts with "sp_".' },
};

const failure: Json = {
  type: 'object',
  required: ['code', 'message', 'trace_id'],
  properties: {
    code: { type: 'integer', description: 'A business error code, never 0.' },
    message: { type: 'string' },
    trace_id: { type: 'string' },
  },
};

function securityOf({ auth }: ApiOperation): Json {
  if (auth === 'none') return { security: [] };
  const session = { sessionToken: [] };
  const key = { apiKey: [] };
  return { security: auth === 'session' ? [session] : auth === 'api-key' ? [key] : [session, key] };
}
