// What drf-yasg makes of the views of Django REST framework: Swagger 2.0.
import type { Json } from '../../../../openapi/json.ts';
import { wrapInClass } from '../add-envelope.ts';
import type { ApiOperation, ApiValue } from '../api-model.ts';
import type { Framework } from '../framework.ts';
import { freeName } from '../framework-names.ts';
import { capitalize, pascal, snake, wordsIn } from '../naming.ts';
import { primaryKeys, snakeIds } from '../renames.ts';
import type { Style } from '../style.ts';
import { withTrailingSlashes } from '../trailing-slashes.ts';

/**
 * An operation of three has a description, which is the docstring of its view; seven answers of ten are described; fields have titles, two of ten a
 * description. Half of the projects end their paths in slashes; parameters in paths stand beside the operations.
 */
export const drfYasg: Style = {
  adapt: (profile, random) => (random.chance(0.5) ? withTrailingSlashes(profile) : profile),
  rename: (random) => (random.chance(0.5) ? primaryKeys : snakeIds),
  framework: ({ random, origin }) => {
    const language = random.pick(['en', 'zh'] as const);
    return {
      dialect: {
        ...{ version: '2.0', language, descriptions: 0.2, marksRequired: true },
        className: (model) => model,
        finish: (schema, value, name) => titled(schema, { value, name, language }),
      },
      head: {
        swagger: '2.0',
        info: { title: 'Sites API', description: '', version: 'v1' },
        host: origin.replace(/^https?:\/\//, ''),
        schemes: ['https'],
        basePath: '/api/v1',
        consumes: ['application/json'],
        produces: ['application/json'],
        security: [{ Bearer: [] }],
      },
      components: {
        securityDefinitions: { Bearer: { type: 'apiKey', name: 'Authorization', in: 'header' } },
      },
      prefix: '',
      idOf: (operation, taken) => freeName(nameOf(operation), taken, (name, count) => `${name}_${count}`),
      textsOf: ({ path, summary, details, needsWords }) => {
        const isSaid = needsWords || random.chance(0.33);
        const text = [summary[language], ...(details ? [details[language]] : [])].join('\n\n');
        return { description: isSaid ? text : '', tags: [path.split('/')[1] ?? 'api'] };
      },
      wrap: (body, _operation, writer) =>
        wrapInClass(body, writer, (data) => `${pascal(data?.model ?? 'Empty')}Response`),
      showsAnswer: () => random.chance(0.7),
      descriptionOf: () => '',
      hasPathItems: true,
      bodyName: () => 'data',
      securityOf: ({ auth }) => (auth === 'none' ? { security: [] } : {}),
      tellsAuth: 'whether',
      finishParameter: ({ title: _title, ...parameter }) => parameter,
    } satisfies Framework;
  },
};

/** "tenant_sites_read": made of the path without parameters, and of what the method does. */
function nameOf({ path, method, action }: ApiOperation): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const verbs: Readonly<Record<string, string>> = {
    ...{ GET: action === 'list' ? 'list' : 'read', POST: 'create', PUT: 'update' },
    ...{ PATCH: 'partial_update', DELETE: 'delete' },
  };
  return snake([...segments, verbs[method] ?? 'create'].join('_'));
}

interface Field {
  value: ApiValue;
  name: string | undefined;
  language: 'en' | 'zh';
}

/** The label of a field, which is its name in words unless the model says another. */
function titled(schema: Json, { value, name, language }: Field): Json {
  if (name === undefined || schema.$ref !== undefined || schema.allOf !== undefined) return schema;
  const label = language === 'zh' && value.words?.zh ? value.words.zh : capitalize(wordsIn(name).join(' '));
  const isText = schema.type === 'string' && !schema.format && !schema.enum;
  return { title: label, ...schema, ...(isText && { minLength: 1 }) };
}
