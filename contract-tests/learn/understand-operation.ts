// What an operation is about, by its path, its name, its summary and its shape.
import { placeholdersOf } from '../../openapi/template.ts';
import type { DescribedOperation } from './described-operation.ts';
import { ownIdIn } from './find-identifier.ts';
import { type Reading, readId, readPath, readText } from './read-name.ts';
import type { Resource, Verb } from './vocabulary.ts';

export interface Understanding {
  operation: DescribedOperation;
  path: Reading;
  /** Of `operationId`, and of the summary, where there is one. */
  id: Reading | undefined;
  summary: Reading | undefined;
  tags: readonly Resource[];
  /** What method and parameters show. */
  shape: Verb | undefined;
  /** A flag of the body that makes it fail: the pointer of the field. */
  failing: { pointer: string; isRequired: boolean } | undefined;
  /** Whether the same call, with another body, does something else. */
  isVariant: boolean;
}

export function understandOperations(operations: readonly DescribedOperation[]): Understanding[] {
  const sharing = Map.groupBy(operations, ({ method, path, place }) => `${method} ${path} ${place}`);
  return [...sharing.values()].flatMap((all) => all.map((one) => understandOperation(one, all.length > 1)));
}

function understandOperation(operation: DescribedOperation, isVariant: boolean): Understanding {
  const path = ofMethod(readPath(operation.path), operation);
  const [first, ...others] = operation.texts;
  const tags = others.filter((text) => text.length < 60).flatMap((text) => readText(text).resource ?? []);
  return {
    operation,
    path,
    id: operation.id === undefined ? undefined : readId(operation.id),
    summary: first === undefined || first.length > 300 ? undefined : readText(first),
    tags,
    shape: shapeOf(operation, path.resource),
    failing: findFailing(operation),
    isVariant,
  };
}

/** To read "publish" or "publishes" is to read what became of one. */
function ofMethod(path: Reading, { method }: DescribedOperation): Reading {
  const isPublication =
    method === 'GET' && path.verbs.includes('publish') && path.resource !== 'content' && !path.fails;
  if (!isPublication) return path;
  return { ...path, resource: 'publication', verbs: path.verbs.filter((verb) => verb !== 'publish') };
}

function shapeOf(operation: DescribedOperation, resource: Resource | undefined): Verb | undefined {
  const { method, path } = operation;
  const isItem = endsInParameter(path) || ownIdIn(operation, resource) === 'required';
  if (method === 'DELETE') return 'delete';
  if (method === 'PUT' || method === 'PATCH') return 'update';
  if (method === 'POST') return isItem ? 'update' : 'create';
  return isItem ? 'get' : 'list';
}

function endsInParameter(path: string): boolean {
  const last = path.split('/').filter(Boolean).at(-1) ?? '';
  return placeholdersOf(last).length > 0;
}

function findFailing({ body = [] }: DescribedOperation): Understanding['failing'] {
  const flag = body.find(
    ({ pointer, types, allowed }) =>
      readText(pointer.split('/').at(-1) ?? '').fails && (types.includes('boolean') || allowed),
  );
  return flag && { pointer: flag.pointer, isRequired: flag.isRequired };
}
