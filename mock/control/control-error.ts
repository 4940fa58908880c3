// Error messages of the control API never repeat a secret.
import { explainErrors } from '../../openapi/explain-errors.ts';
import type { Json } from '../../openapi/json.ts';
import { formatPointer } from '../../openapi/json-pointer.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import type { OperationId } from '../../openapi/operations.ts';
import type { ErrorFinder } from '../../openapi/validate.ts';
import type { Mock } from '../service.ts';
import type { Tenant } from '../world/entries.ts';
import type { World } from '../world/world.ts';

export class ControlError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function refuse(...given: ConstructorParameters<typeof ControlError>): never {
  throw new ControlError(...given);
}

const mostReasons = 5;

export function explain(errors: ReturnType<ErrorFinder>, whole = 'the body'): string {
  const mistakes = explainErrors(errors, { found: shownValue });
  // Misspelt names come first, since they may be why another member is missing.
  mistakes.sort((one, other) => Number('member' in other) - Number('member' in one));
  const reasons = mistakes
    .slice(0, mostReasons)
    .map(({ path, text }) => `${shorten(formatPointer(path)) || whole}: ${text}`);
  const more = mistakes.length - mostReasons;
  return [...reasons, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** A text without a prescribed form may be a secret and is not repeated. */
function shownValue(value: unknown, schema: Json): string {
  const isFormed = 'format' in schema || 'enum' in schema || ('pattern' in schema && 'description' in schema);
  const isShown = typeof value !== 'object' && (schema.type !== 'string' || isFormed);
  return isShown ? shorten(typeof value === 'string' ? JSON.stringify(value) : String(value)) : '';
}

export function unknownName(name: string, known: readonly string[]): string {
  return `${quote(name)}${didYouMean(name, known)} (known: ${known.join(', ') || 'none'})`;
}

export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

export function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

export function found<Entry>(entry: Entry | undefined, what: string, list: string): Entry {
  return entry ?? refuse(404, `there is no ${what}; GET /_mock/${list} lists them`);
}

/** A name takes precedence over an id. */
export function findTenant({ tenants }: World, wanted: string | number): Tenant {
  const all = [...tenants.values()];
  const names = all.map(({ name }) => name);
  return (
    all.find(({ name }) => name === wanted) ??
    all.find(({ id }) => String(id) === String(wanted)) ??
    refuse(404, `there is no tenant ${unknownName(String(wanted), names)}`)
  );
}

export function nameOfTenant({ tenants }: World, id: number): string {
  return tenants.get(id)?.name ?? String(id);
}

export function checkOperation(
  { operations }: Pick<Mock, 'operations'>,
  name: string,
): asserts name is OperationId {
  if (operations.some((operation) => operation === name)) return;
  refuse(400, `there is no operation ${unknownName(name, operations)}`);
}

const longestName = 100;

/** Refuses names that can't be a segment of a URL: clients resolve "." and "..". */
export function checkInboxName(name: string): void {
  if (name !== '' && name.length <= longestName && name !== '.' && name !== '..') return;
  refuse(400, `an inbox name must have 1 to ${longestName} characters and must not be "." or ".."`);
}

export function managerOf<Manager>({ manager }: { manager: Manager | undefined }): Manager {
  return (
    manager ??
    refuse(
      409,
      'this is the control API of one world; call /_mock/worlds at the root of the mock, without /w/NAME and X-Sitepub-World',
    )
  );
}
