// Why a control call is refused, and what to do; and what a call names, which is found or refused. The messages never repeat a secret.
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

/** The errors of a value as one sentence. `whole` is what it calls the value. */
export function explain(errors: ReturnType<ErrorFinder>, whole = 'the body'): string {
  const mistakes = explainErrors(errors, { found: shownValue });
  // Misspelt names first, since they may be why another member is missing.
  mistakes.sort((one, other) => Number('member' in other) - Number('member' in one));
  const reasons = mistakes
    .slice(0, mostReasons)
    .map(({ path, text }) => `${shorten(formatPointer(path)) || whole}: ${text}`);
  const more = mistakes.length - mostReasons;
  return [...reasons, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Texts of any form may be secrets, and are not repeated. */
function shownValue(value: unknown, schema: Json): string {
  const isFormed = 'format' in schema || 'enum' in schema || ('pattern' in schema && 'description' in schema);
  const isShown = typeof value !== 'object' && (schema.type !== 'string' || isFormed);
  return isShown ? shorten(typeof value === 'string' ? JSON.stringify(value) : String(value)) : '';
}

/** An unknown name, the name that may have been meant, and all known names. */
export function unknownName(name: string, known: readonly string[]): string {
  return `${JSON.stringify(shorten(name))}${didYouMean(name, known)} (known: ${known.join(', ') || 'none'})`;
}

/** Limits how much of an input an answer repeats. */
export function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** Returns the entry, or refuses and names the call that lists the existing ones. */
export function found<Entry>(entry: Entry | undefined, what: string, list: string): Entry {
  return entry ?? refuse(404, `there is no ${what}; GET /_mock/${list} lists them`);
}

/** A tenant by its id or name. */
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

/** Refuses an operation that the mock does not serve. */
export function checkOperation(
  { operations }: Pick<Mock, 'operations'>,
  name: string,
): asserts name is OperationId {
  if (operations.some((operation) => operation === name)) return;
  refuse(400, `there is no operation ${unknownName(name, operations)}`);
}

const longestName = 100;

/** Refuses a name of an inbox that can't be part of a URL. */
export function checkInboxName(name: string): void {
  if (name !== '' && name.length <= longestName && name !== '.' && name !== '..') return;
  refuse(400, `the name of an inbox has 1 to ${longestName} characters, and is neither "." nor ".."`);
}

/** What keeps the worlds by name: a world that is one of them has none. */
export function keeperOf<Keeper>({ keeper }: { keeper: Keeper | undefined }): Keeper {
  return (
    keeper ??
    refuse(
      409,
      'this is the control API of one world; call /_mock/worlds at the root of the mock, without /w/NAME and X-Sitepub-World',
    )
  );
}
