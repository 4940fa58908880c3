// How an operation that was not found out can be stated: a template with every member that it can have.
import { type Gap, membersOf } from '../../openapi/registers.ts';

/** The lines of a map that states an operation, to be written as comments. Its values are to be replaced. */
export function operationTemplate(gap: Gap): string[] {
  const name = gap.id.slice('operation.'.length);
  const placeholders = gap.placeholders ?? [];
  const inPath = placeholders.filter((one) => one.endsWith('ID'));
  const inBody = placeholders.filter((one) => !inPath.includes(one));
  const method = methodOf(name);
  const samples: Record<string, string | undefined> = {
    method: `${method}  # or ${['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => one !== method).join(', ')}`,
    path: `"/${['…', ...inPath.map((one) => `{${one}}`), name].join('/')}"${inBody.length > 0 ? placeholdersToo(inBody) : ''}`,
    auth: `${isOpen(name) ? 'none' : 'bearer'}  # or session, api-key, ${isOpen(name) ? 'bearer' : 'none'}`,
    body: inBody.length > 0 ? mapOf(inBody) : undefined,
    query: gap.query && `${mapOf(gap.query.slice(0, 2))}${placeholdersToo(gap.query.slice(2))}`,
    status: `200  # of a success`,
  };
  const members = membersOf(gap).filter((one) => !(one in samples) || samples[one] !== undefined);
  const lines = members.map((one) => `  ${one}: ${samples[one] ?? pointerOf(one)}`);
  const alternative = gap.by?.map((one) => `  # or, where that call does it at once: { by: ${one} }`) ?? [];
  return [`${gap.id}:`, ...lines, ...alternative];
}

function methodOf(name: string): string {
  const [verb = ''] = name.split('-');
  return { list: 'GET', get: 'GET', delete: 'DELETE', update: 'PUT' }[verb] ?? 'POST';
}

/** What visitors do. */
function isOpen(name: string): boolean {
  return name === 'submit-form' || name === 'create-comment';
}

function mapOf(placeholders: readonly string[]): string {
  return `{ ${placeholders.map((one) => `${one}: "{${one}}"`).join(', ')} }`;
}

function placeholdersToo(placeholders: readonly string[]): string {
  return placeholders.length === 0 ? '' : `  # also ${placeholders.map((one) => `{${one}}`).join(', ')}`;
}

/** Where a value is in the answer, or in an item of its list. */
function pointerOf(read: string): string {
  return read.startsWith('item.') ? `/${read.slice('item.'.length)}` : `/data/${read}`;
}
