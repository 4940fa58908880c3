// What Scribe makes of Laravel's routes: OpenAPI 3.0.3.

import type { Json } from '../../../../openapi/json.ts';
import type { ApiOperation, ApiValue } from '../api-model.ts';
import { exampleOf } from '../example-of.ts';
import type { Framework } from '../framework.ts';
import { freeName } from '../framework-names.ts';
import { camel, capitalize, plural, titleCase } from '../naming.ts';
import { lastIsId, pickRename, snakeIds } from '../renames.ts';
import type { Style } from '../style.ts';

/**
 * Nine operations of ten have a title, which their operationId is made of, the others a bare path; 85 answers of 100 were recorded, as examples with the types of their values; four
 * fields of ten are described. Nothing is a class; parameters in paths stand beside the operations.
 */
export const laravelScribe: Style = {
  rename: (random) => pickRename(random, [snakeIds, lastIsId]),
  framework: ({ random, origin }) => {
    const language = random.pick(['en', 'en', 'zh'] as const);
    const titles = new Map<ApiOperation, string>();
    const titleOf = (operation: ApiOperation) => {
      const isSaid = titles.has(operation) || operation.needsWords || random.chance(0.9);
      const title = titles.get(operation) ?? (isSaid ? operation.summary[language] : '');
      titles.set(operation, title);
      return title;
    };
    return {
      dialect: {
        ...{ version: '3.0', language, descriptions: 0.4, examples: 0.9, marksRequired: true },
        finish: (schema, value, name) =>
          name === undefined
            ? schema
            : {
                ...schema,
                description: schema.description ?? '',
                ...(value.isNullable ? {} : { nullable: false }),
              },
      },
      head: {
        openapi: '3.0.3',
        info: { title: 'Laravel API Documentation', description: '', version: '1.0.0' },
        servers: [{ url: origin }],
        security: [{ default: [] }],
      },
      components: { securitySchemes: { default: { type: 'http', scheme: 'bearer', description: '' } } },
      prefix: '/api/v1',
      idOf: (operation, taken) => freeName(nameOf(operation, titleOf(operation)), taken),
      textsOf: (operation) => ({
        summary: titleOf(operation),
        description: operation.details?.[language] ?? '',
        tags: [titleCase(plural(operation.resource))],
      }),
      wrap: (body) => recorded(body),
      showsAnswer: () => random.chance(0.85),
      descriptionOf: () => '',
      hasPathItems: true,
      securityOf: ({ auth }) => (auth === 'none' ? { security: [] } : {}),
      tellsAuth: 'whether',
      finishOperation: withoutRequired,
    } satisfies Framework;
  },
};

/** "createASite", "postApiV1TenantSites": made of the title, of which only Latin letters are left, or of the path. */
function nameOf({ method, path }: ApiOperation, title: string): string {
  const segments = path.split(/[^\w]+/).filter((segment) => segment !== '');
  if (title !== '') return camel(title.replace(/[^\w ]/g, ''));
  return `${method.toLowerCase()}ApiV1${segments.map(capitalize).join('')}`;
}

/** The schema of an answer that was seen. */
function recorded(value: ApiValue): Json {
  const { type, properties, items } = value;
  const example = exampleOf(value);
  if (type === 'object' && properties) {
    const inside = Object.fromEntries(properties.map((one) => [one.name, recorded(one.value)]));
    return { type, ...(value.model === 'ApiResponse' && { example }), properties: inside };
  }
  if (type === 'array') return { type, example, items: items ? recorded(items) : {} };
  return { type: type === 'null' || type === 'any' ? 'string' : type, example };
}

/** A body of which nothing is required is not required itself. */
function withoutRequired(written: Json, { bodies }: ApiOperation): Json {
  const isNeeded = bodies.some(({ properties = [] }) => properties.some(({ isRequired }) => isRequired));
  if (isNeeded || !written.requestBody) return written;
  return { ...written, requestBody: { ...(written.requestBody as Json), required: false } };
}
