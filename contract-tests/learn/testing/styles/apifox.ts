// What Apifox exports of interfaces that were described by hand, in Chinese: OpenAPI 3.0.1.
import type { Json } from '../../../../openapi/json.ts';
import type { ApiOperation, ApiValue } from '../api-model.ts';
import type { Framework } from '../framework.ts';
import { withPinyinPaths } from '../pinyin-paths.ts';
import { camelIds, lastIsId, pickRename, snakeIds } from '../renames.ts';
import type { Style } from '../style.ts';
import { folders } from './go-swaggo.ts';

/**
 * Every operation has a Chinese summary, and none an operationId; eight answers of ten are described; eight fields of ten have a Chinese name, as a title or a
 * description. Nothing is a class. Half of the projects write their paths in pinyin.
 */
export const apifox: Style = {
  adapt: (profile, random) => (random.chance(0.5) ? withPinyinPaths(profile) : profile),
  rename: (random) => pickRename(random, [camelIds, lastIsId, snakeIds]),
  framework: ({ random, origin }) => {
    const hasHeader = random.chance(0.5);
    const isTitle = random.chance(0.5);
    const projectId = random.integer(1_000_000, 9_999_999);
    return {
      dialect: {
        ...{ version: '3.0', language: 'zh', descriptions: 0.8, examples: 0.1, marksRequired: true },
        finish: (schema, value) => ordered(isTitle ? asTitle(schema) : schema, value),
      },
      head: {
        openapi: '3.0.1',
        info: { title: '建站平台', description: '', version: '1.0.0' },
        tags: [],
        servers: random.chance(0.5) ? [] : [{ url: `${origin}/api/v1`, description: '测试环境' }],
        ...(hasHeader && { security: [] }),
      },
      components: { securitySchemes: hasHeader ? {} : { bearer: { type: 'http', scheme: 'bearer' } } },
      prefix: '',
      textsOf: ({ resource, summary, details }) => ({
        summary: summary.zh,
        deprecated: false,
        description: details?.zh ?? '',
        tags: [folders[resource] ?? resource],
      }),
      wrap: (body, _operation, writer) => writer.write(body, 'response'),
      showsAnswer: () => random.chance(0.8),
      hiddenAnswer: { type: 'object', properties: {} },
      statusOf: () => 200,
      descriptionOf: () => '成功',
      securityOf: ({ auth }) => (hasHeader ? {} : { security: auth === 'none' ? [] : [{ bearer: [] }] }),
      tellsAuth: 'whether',
      finishOperation: (written, operation) =>
        finish(hasHeader ? withHeader(written, operation) : written, operation, projectId),
      finishParameter: ({ description, example, ...parameter }) => ({
        ...parameter,
        description: description ?? '',
        example: example ?? '',
      }),
    } satisfies Framework;
  },
};

/** The Chinese name of a field stands in its title. */
function asTitle({ description, ...schema }: Json): Json {
  return description === undefined ? schema : { ...schema, title: description };
}

function ordered(schema: Json, { type, properties = [] }: ApiValue): Json {
  if (type !== 'object' || !schema.properties) return schema;
  return {
    ...schema,
    'x-apifox-orders': properties.map(({ name }) => name),
    'x-apifox-ignore-properties': [],
  };
}

function withHeader(written: Json, { auth }: ApiOperation): Json {
  if (auth === 'none') return written;
  const header = {
    name: 'Authorization',
    in: 'header',
    description: '',
    required: true,
    example: 'Bearer {{token}}',
    schema: { type: 'string' },
  };
  return { ...written, parameters: [...(written.parameters as Json[]), header] };
}

function finish(written: Json, { resource, isDeprecated }: ApiOperation, projectId: number): Json {
  const responses = Object.entries(written.responses as Record<string, Json>).map(([status, response]) => [
    status,
    { ...response, headers: {}, 'x-apifox-name': '成功' },
  ]);
  return {
    ...written,
    ...(isDeprecated && { deprecated: true }),
    responses: Object.fromEntries(responses),
    'x-apifox-folder': folders[resource] ?? resource,
    'x-apifox-status': isDeprecated ? 'deprecated' : 'released',
    'x-run-in-apifox': `https://app.apifox.com/web/project/${projectId}/apis`,
  };
}
