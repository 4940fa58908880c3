import type { jsonSchemaValidator } from '@modelcontextprotocol/server';
import { explain } from '../../mock/control/explain-input.ts';
import type { Json } from '../../openapi/json.ts';
import { createValidator } from '../../openapi/validate.ts';

/** Validates the input of tools, and names what is allowed. */
export const explainingValidator: jsonSchemaValidator = {
  getValidator<Value>(schema: Json) {
    const components = { schemas: { Input: schema }, parameters: {}, responses: {} };
    const description = { paths: {}, webhooks: {}, components };
    const validate = createValidator(description);
    return (input: unknown) => {
      const reason = explain({ validate, description }, '/components/schemas/Input', input);
      if (reason !== undefined) return { valid: false, data: undefined, errorMessage: reason };
      return { valid: true, data: input as Value, errorMessage: undefined };
    };
  },
};
