// What springdoc-openapi makes of Spring controllers: OpenAPI 3.0.1 or 3.1.0.
import type { Json } from '../../../../openapi/json.ts';
import { wrapInClass } from '../add-envelope.ts';
import type { ApiOperation, ApiValue } from '../api-model.ts';
import type { Framework } from '../framework.ts';
import { freeName, methodOf } from '../framework-names.ts';
import { kebab, pascal } from '../naming.ts';
import { camelIds, lastIsId, pickRename } from '../renames.ts';
import type { Style } from '../style.ts';
import type { SchemaWriter } from '../write-schema.ts';

/**
 * Half of the projects describe every operation, mostly in Chinese, the others a fifth; 95 answers of 100 are described; four fields of ten are.
 * One project of three returns statuses that springdoc does not see, and says 200. Half of the projects take queries as objects.
 */
export const springdoc: Style = {
  rename: (random) => pickRename(random, [camelIds, lastIsId]),
  framework: ({ random, origin }) => {
    const language = random.pick(['zh', 'zh', 'en'] as const);
    const summaries = random.pick([1, 0.2]);
    const envelope = random.pick(['Result', 'R', 'CommonResult', 'ApiResponse']);
    const isPrefixed = random.chance(0.5);
    const hidesStatus = random.chance(0.33);
    const hasObjects = random.chance(0.5);
    const hasSecurity = random.chance(0.7);
    const is31 = random.chance(0.3);
    const usual = random.pick<Readonly<Record<string, string>>>([
      { list: 'page', get: 'detail' },
      { list: 'list', get: 'getById', delete: 'remove' },
      {},
    ]);
    return {
      dialect: {
        ...{
          version: is31 ? '3.1' : '3.0',
          language,
          descriptions: 0.4,
          examples: 0.1,
          marksRequired: random.chance(0.5),
        },
        className: (model, purpose) =>
          purpose === 'request' ? `${model}DTO` : isOuter(model, envelope) ? model : `${model}VO`,
        finish: longNumbers,
      },
      head: {
        openapi: is31 ? '3.1.0' : '3.0.1',
        info: { title: 'OpenAPI definition', version: 'v0' },
        servers: [{ url: isPrefixed ? origin : `${origin}/api/v1`, description: 'Generated server url' }],
      },
      components: hasSecurity
        ? { securitySchemes: { Authorization: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } }
        : {},
      prefix: isPrefixed ? '/api/v1' : '',
      idOf: (operation, taken) =>
        freeName(methodOf(operation, usual), taken, (name, count) => `${name}_${count}`),
      textsOf: ({ resource, summary, details, needsWords }) => {
        const isSaid = needsWords || random.chance(summaries);
        return {
          tags: [`${kebab(resource)}-controller`],
          ...(isSaid && { summary: summary[language] }),
          ...(isSaid && details && { description: details[language] }),
        };
      },
      wrap: (body, _operation, writer) =>
        wrapInClass(
          body,
          writer,
          (data) => envelope + (data?.model === undefined ? 'Void' : `${data.model}VO`),
        ),
      showsAnswer: () => random.chance(0.95),
      statusOf: ({ status }) => (hidesStatus ? 200 : status),
      answerType: random.pick(['*/*', '*/*', 'application/json']),
      alternatives: 'oneOf',
      securityOf: ({ auth }) => (hasSecurity && auth !== 'none' ? { security: [{ Authorization: [] }] } : {}),
      tellsAuth: hasSecurity ? 'whether' : 'nothing',
      ...(hasObjects && { writeQuery }),
    } satisfies Framework;
  },
};

function isOuter(model: string, envelope: string): boolean {
  return model.startsWith(envelope) && /(VO|Void)$/.test(model);
}

function longNumbers(schema: Json, _value: ApiValue, name: string | undefined): Json {
  if (schema.type !== 'integer') return schema;
  const { type, ...rest } = schema;
  const isLong = name !== undefined && /id$/i.test(name);
  return { type, format: isLong ? 'int64' : 'int32', ...rest };
}

/** Parameters that a method takes as one object; its members are the parameters. */
function writeQuery({ query, resource, action }: ApiOperation, writer: SchemaWriter): Json[] | undefined {
  if (query.length < 2 || query.some(({ placeholder }) => placeholder?.endsWith('ID'))) return undefined;
  const model = `${pascal(resource)}${pascal(action)}Query`;
  const reference = writer.write({ type: 'object', properties: query, model }, 'request');
  return [{ name: 'query', in: 'query', required: true, schema: reference }];
}
