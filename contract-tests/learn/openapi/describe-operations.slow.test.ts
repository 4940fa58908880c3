import { expect, test } from 'vitest';
import { describeOperations } from './describe-operations.ts';

test('ends in a sentence where bodies have alternatives of alternatives', () => {
  const schemas: Record<string, object> = {};
  for (let index = 0; index < 60; index += 1) {
    const next = { $ref: `#/components/schemas/S${index + 1}` };
    schemas[`S${index}`] = { oneOf: [next, next], properties: { a: next, b: next, c: next } };
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } };
  const post = { requestBody: { content }, responses: {} };
  const paths = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`/p${index}`, { post }]));
  const description = { openapi: '3.0.0', info: {}, paths, components: { schemas } };
  const start = performance.now();
  expect(() => describeOperations(description, { name: 'api', text: '', basePath: undefined })).toThrow(
    'api: its schemas hold one another too often; give the part of it that is about the service',
  );
  expect(performance.now() - start).toBeLessThan(60_000);
});
