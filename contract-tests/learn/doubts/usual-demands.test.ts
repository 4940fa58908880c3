import { expect, test } from 'vitest';
import { learnOperations } from '../learn-operations.ts';
import { describeOperations } from '../openapi/describe-operations.ts';

const tenant = { name: 'X-Tenant-Id', in: 'header', required: true, schema: { type: 'string' } };
const dryRun = { name: 'X-Dry-Run', in: 'header', required: true, schema: { type: 'string' } };
const csrf = { name: 'csrf', in: 'cookie', required: true, schema: { type: 'string' } };
const form = { content: { 'multipart/form-data': { schema: { type: 'object' } } } };

function operation(parameters: readonly object[], more: object = {}) {
  return { parameters, responses: { 200: { description: 'OK' } }, ...more };
}

function learn(deletion: object, headers: readonly string[] = []) {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const paths = {
    '/sites/{id}': { parameters: [id], get: operation([tenant]), delete: deletion },
    '/sites': { get: operation([tenant]) },
    '/sites/{id}/contents/{cid}': { parameters: [id], get: operation([tenant]) },
  };
  const root = { openapi: '3.0.3', info: { title: 'a', version: '1' }, paths };
  const described = describeOperations(root, { name: 'a', text: '', basePath: undefined });
  const { operations, notes } = learnOperations(described, { given: {}, headers });
  const one = operations.find(({ gap }) => gap.id === 'operation.delete-site');
  return { doubts: one?.doubts, notes };
}

test.for([
  ['what all require', operation([tenant]), []],
  ['a header of its own', operation([tenant, dryRun]), ['it requires the header X-Dry-Run']],
  ['a cookie', operation([csrf]), ['it requires the cookie csrf']],
  [
    'a form',
    operation([tenant], { requestBody: form }),
    ['its body is of the type multipart/form-data, and that of a profile is JSON'],
  ],
  ['what every client sends', operation([{ ...tenant, name: 'Accept-Language' }]), []],
  ['what may be left out', operation([{ ...dryRun, required: false }]), []],
] as const)('a deletion that requires %s is as certain as that lets it be', ([, deletion, want]) => {
  expect(learn(deletion).doubts).toEqual(want);
});

test('a header that most require is told once, unless it is given', () => {
  const asked = '4 of 4 operations require the header X-Tenant-Id: give it with --header, in runs too';
  expect(learn(operation([tenant])).notes).toEqual([asked]);
  expect(learn(operation([tenant]), ['x-tenant-id']).notes).toEqual([]);
  expect(learn(operation([dryRun]), ['X-DRY-RUN']).doubts).toEqual([]);
});
