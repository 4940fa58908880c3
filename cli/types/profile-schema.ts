import type { Json } from '../../openapi/json.ts';
import { gaps } from '../../openapi/registers.ts';

/** The JSON Schema of profiles, for editors. */
export function profileSchema(): Json {
  const properties = gaps.map(({ id, question, section, schema, default: guess }) => [
    id,
    { ...schema, description: `${question} (interface document, section ${section})`, default: guess },
  ]);
  return {
    description:
      'How one deployment fills the gaps of the interface document. Missing gaps get their defaults.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}
