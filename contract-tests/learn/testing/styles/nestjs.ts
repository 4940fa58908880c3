// What @nestjs/swagger makes of controllers: OpenAPI 3.0.0.
import { wrapInGeneric } from '../add-envelope.ts';
import type { Framework } from '../framework.ts';
import { controllerOf, freeName, methodOf } from '../framework-names.ts';
import { plural, titleCase } from '../naming.ts';
import { camelIds, lastIsId, pickRename } from '../renames.ts';
import type { Style } from '../style.ts';

/**
 * Half of the projects have a summary for every operation, the others for a fifth of them; half of the operations say what is in their answers;
 * three fields of ten are described. There is one kind of bearer. The prefix is in the paths, and there are no servers.
 */
export const nestjs: Style = {
  rename: (random) => pickRename(random, [camelIds, lastIsId]),
  framework: ({ random }) => {
    const summaries = random.pick([1, 0.2]);
    const answers = random.pick([0.9, 0.5, 0.25]);
    const language = random.pick(['en', 'en', 'zh'] as const);
    const isDefaultId = random.chance(0.7);
    return {
      dialect: {
        ...{ version: '3.0', language, descriptions: 0.3, examples: 0.2, marksRequired: true },
        className: (model, purpose) => (purpose === 'request' ? `${model}Dto` : model),
        finish: numbers,
      },
      head: {
        openapi: '3.0.0',
        info: { title: 'Sites API', description: 'The sites API description', version: '1.0', contact: {} },
        tags: [],
        servers: [],
      },
      components: { securitySchemes: { bearer: { scheme: 'bearer', bearerFormat: 'JWT', type: 'http' } } },
      prefix: '/api/v1',
      idOf: (operation, taken) => {
        const method = methodOf(operation, usual);
        return freeName(
          isDefaultId ? `${controllerOf(operation)}_${method}` : method,
          taken,
          (name, count) => `${name}_${count}`,
        );
      },
      textsOf: ({ resource, summary, details, needsWords }) => {
        const isSaid = needsWords || random.chance(summaries);
        return {
          ...(isSaid && { summary: summary[language] }),
          ...(isSaid && details && { description: details[language] }),
          tags: [titleCase(plural(resource))],
        };
      },
      wrap: (body, _operation, writer) => wrapInGeneric(body, writer, 'ApiResponse'),
      showsAnswer: () => random.chance(answers),
      descriptionOf: () => '',
      alternatives: 'oneOf',
      securityOf: ({ auth }) => (auth === 'none' ? {} : { security: [{ bearer: [] }] }),
      tellsAuth: 'whether',
    } satisfies Framework;
  },
};

const usual: Readonly<Record<string, string>> = { list: 'findAll', get: 'findOne', delete: 'remove' };

/** A type of TypeScript says no more than that something is a number. */
function numbers(schema: Record<string, unknown>): Record<string, unknown> {
  return schema.type === 'integer' ? { ...schema, type: 'number' } : schema;
}
