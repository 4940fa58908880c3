import type { jsonSchemaValidator } from '@modelcontextprotocol/server';
import { explain } from '../../mock/control/control-error.ts';
import type { Json } from '../../openapi/json.ts';
import { createErrorFinder } from '../../openapi/validate.ts';

/** Validates the input of tools, and names what is allowed. */
export const explainingValidator: jsonSchemaValidator = {
  getValidator<Value>(schema: Json) {
    const components = { schemas: { Input: schema }, parameters: {}, responses: {} };
    const description = { paths: {}, webhooks: {}, components };
    const findErrors = createErrorFinder(description);
    return (input: unknown) => {
      const errors = findErrors('/components/schemas/Input', input);
      if (errors.length === 0) return { valid: true, data: input as Value, errorMessage: undefined };
      return { valid: false, data: undefined, errorMessage: explain(errors, 'the arguments') };
    };
  },
};
