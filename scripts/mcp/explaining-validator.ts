import type { jsonSchemaValidator } from '@modelcontextprotocol/server';
import { explain } from '../../mock/control/explain-input.ts';
import type { Json } from '../../openapi/json.ts';
import { createErrorFinder } from '../../openapi/validate.ts';

/** Validates the input of tools, and names what is allowed. */
export const explainingValidator: jsonSchemaValidator = {
  getValidator<Value>(schema: Json) {
    const components = { schemas: { Input: schema }, parameters: {}, responses: {} };
    const description = { paths: {}, webhooks: {}, components };
    const findErrors = createErrorFinder(description);
    return (input: unknown) => {
      const reason = explain(findErrors, '/components/schemas/Input', input, 'the arguments');
      if (reason !== undefined) return { valid: false, data: undefined, errorMessage: reason };
      return { valid: true, data: input as Value, errorMessage: undefined };
    };
  },
};
