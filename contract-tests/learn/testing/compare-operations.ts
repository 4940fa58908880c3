// What a profile says of its operations and what was learnt of them, in one form: method, path, constants, names of values, statuses.
import { operationsOf } from '../../../openapi/operations.ts';
import type { Profile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';
import type { DescribedOperation, Field } from '../described-operation.ts';

/** An operation in one line: "POST /sites/{}/publish 202 body /comment /options/simulate_failure=true". `called`: the ids of those that are meant, all unless given. */
export function offeredTo(profile: Profile, called?: readonly string[]): string[] {
  return operationsOf(resolve(profile))
    .filter(({ id }) => called?.includes(id) ?? true)
    .map(({ method, path, query = [], request, success: { status }, auth }) => {
      // A first page of any size holds all that there is, and so nobody asks for the next one.
      const isSized = query.some(({ template }) => template === '{limit}');
      const seen = query.filter(({ template }) => isSized || template !== '{cursor}');
      const sent = seen.map(({ parameter, template }) => `/${parameter}${constantOf(template)}`);
      return lineOf({
        method,
        path,
        status,
        query: sent,
        body: leavesOf(request?.template, ''),
        isOpen: auth === 'none',
      });
    })
    .sort();
}

export function learntOf(operations: readonly DescribedOperation[]): string[] {
  return operations
    .map(({ method, path, query, body = [], answers, auth }) => {
      const status = answers.map((answer) => answer.status).join('/');
      const sent = { query: query.map(fieldText), body: leafFields(body).map(fieldText) };
      return lineOf({ method, path, status, ...sent, isOpen: auth === 'none' });
    })
    .sort();
}

interface Line {
  method: string;
  path: string;
  status: number | string;
  query: readonly string[];
  body: readonly string[];
  isOpen: boolean;
}

function lineOf({ method, path, status, query, body, isOpen }: Line): string {
  const start = `${method} ${path.replace(/\{\w+\}/g, '{}')} ${status}${isOpen ? ' open' : ''}`;
  return [start, 'query', ...query.toSorted(), 'body', ...body.toSorted()].join(' ');
}

function leavesOf(template: unknown, pointer: string): string[] {
  if (template === undefined) return [];
  if (typeof template === 'object' && template !== null)
    return Object.entries(template).flatMap(([key, part]) => leavesOf(part, `${pointer}/${key}`));
  return [`${pointer}${constantOf(template)}`];
}

function constantOf(template: unknown): string {
  return typeof template === 'string' && /^\{\w+\}$/.test(template) ? '' : `=${String(template)}`;
}

function leafFields(fields: readonly Field[]): Field[] {
  const parents = new Set(fields.map(({ pointer }) => pointer.slice(0, pointer.lastIndexOf('/'))));
  const hasParts = (field: Field) => parents.has(field.pointer) || field.pointer.endsWith('/*');
  // A list is one value of a profile.
  return fields.filter(
    (field) =>
      field.pointer !== '' &&
      (!hasParts(field) || field.types.includes('array')) &&
      !field.pointer.endsWith('/*'),
  );
}

/** Pages and channels are constants of nobody. */
function fieldText({ pointer, values = [], types }: Field): string {
  const isConstant = values.length === 1 && !types.includes('integer') && values[0] !== 'custom';
  return `${pointer}${isConstant ? `=${String(values[0])}` : ''}`;
}
