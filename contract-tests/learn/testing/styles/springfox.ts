// What springfox makes of Spring controllers: Swagger 2.0.
import type { Json } from '../../../../openapi/json.ts';
import { wrapInClass } from '../add-envelope.ts';
import type { ApiValue } from '../api-model.ts';
import type { Framework } from '../framework.ts';
import { freeName, methodOf } from '../framework-names.ts';
import { camel, kebab } from '../naming.ts';
import { camelIds, lastIsId, pickRename } from '../renames.ts';
import type { Style } from '../style.ts';

/**
 * Where nobody wrote a summary it is the name of the method (in half of the projects for all, in the others for none); 95 answers of 100 are
 * described; four fields of ten are. Failures are listed without content, and a success that says 201 is one of them.
 */
export const springfox: Style = {
  rename: (random) => pickRename(random, [camelIds, lastIsId]),
  framework: ({ random, origin }) => {
    const language = random.pick(['zh', 'zh', 'en'] as const);
    const hasSummaries = random.chance(0.5);
    const envelope = random.pick(['Result', 'R', 'JsonResult', '统一返回对象']);
    const bodyName = random.pick<string | undefined>(['dto', 'req', undefined]);
    const usual = random.pick<Readonly<Record<string, string>>>([
      { list: 'page', get: 'info' },
      { delete: 'remove' },
      {},
    ]);
    const hasSecurity = random.chance(0.6);
    return {
      dialect: {
        ...{ version: '2.0', language, descriptions: 0.4, examples: 0.1, marksRequired: random.chance(0.5) },
        className: (model, purpose) =>
          purpose === 'request' ? `${model}DTO` : model.startsWith(envelope) ? model : `${model}VO`,
        finish: sized,
        finishClass: (schema, name) => ({ ...schema, title: name }),
      },
      head: {
        swagger: '2.0',
        info: { description: 'Api Documentation', version: '1.0', title: 'Api Documentation' },
        host: origin.replace(/^https?:\/\//, ''),
        basePath: '/api/v1',
      },
      components: hasSecurity
        ? { securityDefinitions: { Authorization: { type: 'apiKey', name: 'Authorization', in: 'header' } } }
        : {},
      prefix: '',
      idOf: (operation, taken) =>
        freeName(
          `${methodOf(operation, usual)}Using${operation.method}`,
          taken,
          (name, count) => `${name}_${count}`,
        ),
      textsOf: (operation) => {
        const { resource, summary, details, needsWords } = operation;
        const isSaid = hasSummaries || needsWords;
        return {
          tags: [`${kebab(resource)}-controller`],
          summary: isSaid ? summary[language] : methodOf(operation, usual),
          ...(isSaid && details && { description: details[language] }),
        };
      },
      wrap: (body, _operation, writer) =>
        wrapInClass(body, writer, (data) =>
          data?.model === undefined ? `${envelope}«Void»` : `${envelope}«${data.model}VO»`,
        ),
      showsAnswer: () => random.chance(0.95),
      statusOf: () => 200,
      answerType: '*/*',
      bodyName: ({ bodies: [body] }) => bodyName ?? camel(body?.model ?? 'body'),
      failuresOf: ({ method }) => ({
        ...(method !== 'GET' && method !== 'DELETE' && { '201': { description: 'Created' } }),
        ...{
          '401': { description: 'Unauthorized' },
          '403': { description: 'Forbidden' },
          '404': { description: 'Not Found' },
        },
      }),
      securityOf: ({ auth }) =>
        hasSecurity && auth !== 'none' ? { security: [{ Authorization: ['global'] }] } : {},
      tellsAuth: hasSecurity ? 'whether' : 'nothing',
      finishOperation: (written) => ({
        ...written,
        responses: written.responses,
        deprecated: written.deprecated === true,
      }),
    } satisfies Framework;
  },
};

function sized(schema: Json, { type, format }: ApiValue, name: string | undefined): Json {
  if (type !== 'integer') return schema;
  const isLong = name !== undefined && /id$/i.test(name);
  return { ...schema, format: format ?? (isLong ? 'int64' : 'int32') };
}
