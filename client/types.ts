// Types derived from the `paths` of openapi-typescript.
import type { ParamsOption, RequestBodyOption } from 'openapi-fetch';
import type { paths } from '../openapi/generated/types.ts';
import type { IdOf, Ids, WithIds } from '../webhooks/identifiers.ts';

/**
 * One method for each HTTP method, for the paths that support it.
 * `Paths` is the type that `sitepub types` writes; `I` is the type of identifiers.
 */
export interface Client<Paths extends object = paths, I extends Ids = 'number'> {
  GET: CallBy<'get', Paths, I>;
  POST: CallBy<'post', Paths, I>;
  PUT: CallBy<'put', Paths, I>;
  PATCH: CallBy<'patch', Paths, I>;
  DELETE: CallBy<'delete', Paths, I>;
}

/** Returns the `data` of the answer, or throws a SitepubError. */
type CallBy<Method extends string, Paths, I extends Ids> = <Path extends PathsWith<Method, Paths>>(
  path: Path,
  ...options: OptionalIfEmpty<CallOptions<OperationAt<Paths, Path, Method>, I>>
) => Promise<DataOf<OperationAt<Paths, Path, Method>, I>>;

/** `params` has the path and query parameters, `body` the body. */
export type CallOptions<Operation, I extends Ids = 'number'> = Sent<ParamsOption<Operation>, I> &
  Unchanged<Sent<RequestBodyOption<Operation>, I>> & {
    headers?: Readonly<Record<string, string>>;
    signal?: AbortSignal;
  };

/** Requests also accept numbers as identifiers. */
type Sent<Value, I extends Ids> = I extends 'number' ? Value : WithIds<Value, number | IdOf<I>>;

/** Readonly, so that a body may be a constant (`as const`). */
type Unchanged<Value> = Value extends readonly (infer Item)[]
  ? readonly Unchanged<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> }
    : Value;

/** The type of `data` in an operation's success. */
export type DataOf<Operation, I extends Ids = 'number'> = I extends 'number'
  ? PlainDataOf<Operation>
  : WithIds<PlainDataOf<Operation>, IdOf<I>>;

type PlainDataOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses & Success]: DataIn<Responses[Status]> }[keyof Responses & Success]
  : never;

type Success = 200 | 201 | 202 | 203 | '2XX';

type DataIn<Response> = Response extends { content: { 'application/json': { data: infer Data } } }
  ? WithoutIndex<Data>
  : unknown;

/** Removes the index signature for undescribed fields, so that a misspelled field is an error. */
type WithoutIndex<Data> = keyof Named<Data> extends never ? Data : Named<Data>;
type Named<Data> = { [Key in keyof Data as string extends Key ? never : Key]: Data[Key] };

type PathsWith<Method extends string, Paths> = {
  [Path in keyof Paths & string]: Paths[Path] extends Record<Method, { responses: unknown }> ? Path : never;
}[keyof Paths & string];

type OperationAt<Paths, Path extends keyof Paths, Method extends string> =
  Paths[Path] extends Record<Method, infer Operation> ? Operation : never;

type OptionalIfEmpty<Options> = Partial<Options> extends Options ? [options?: Options] : [options: Options];
