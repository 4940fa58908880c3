// The typed client of the control API: of this page, of the commands for a running mock, and of `sitepub mcp`.
import createFetchClient from 'openapi-fetch';
import type { paths } from '../../../openapi/generated/control-types.ts';

/** From where the control API begins. */
type ControlPaths = {
  [Path in keyof paths as Path extends `/_mock${infer Rest}` ? Rest : never]: paths[Path];
};

type Method = 'get' | 'post' | 'put' | 'delete';
type PathWith<Verb extends Method> = {
  [Path in keyof ControlPaths]: ControlPaths[Path] extends Record<Verb, object> ? Path : never;
}[keyof ControlPaths];
type OperationAt<Path extends keyof ControlPaths, Verb extends Method> = ControlPaths[Path][Verb];

/** Members that are undefined are not sent. */
type Unsent<Value> = { [Name in keyof Value]: Value[Name] | undefined };

type PathOf<Operation> = Operation extends { parameters: { path: infer Path } } ? { path: Path } : unknown;
type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query extends object } }
  ? { query?: Unsent<Query> }
  : unknown;
type BodyOf<Operation> = Operation extends { requestBody?: never }
  ? unknown
  : Operation extends { requestBody: { content: { 'application/json': infer Body } } }
    ? { body: Unsent<Body> }
    : { body?: object };

type Sent<Operation> = PathOf<Operation> & QueryOf<Operation> & BodyOf<Operation>;
type Given<Operation> =
  Partial<Sent<Operation>> extends Sent<Operation> ? [sent?: Sent<Operation>] : [sent: Sent<Operation>];

type AnswerOf<Operation> = Operation extends { responses: { 200: { content: infer Types } } }
  ? Types[keyof Types]
  : never;

type CallBy<Verb extends Method> = <Path extends PathWith<Verb>>(
  path: Path,
  ...given: Given<OperationAt<Path, Verb>>
) => Promise<AnswerOf<OperationAt<Path, Verb>>>;

/** Each method gives the answer to a call, or throws what `send` throws. */
export interface ControlClient {
  GET: CallBy<'get'>;
  POST: CallBy<'post'>;
  PUT: CallBy<'put'>;
  DELETE: CallBy<'delete'>;
}

interface Parts {
  /** The address of the control API. */
  url: string;
  /** Writes the JSON of a body. */
  write(value: unknown): string;
  /** Sends a request, and gives the answer to it. Throws where it is none of success. */
  send(request: Request): Promise<unknown>;
}

interface AnySent {
  path?: object;
  query?: object;
  body?: unknown;
}

export function createControlClient({ url, write, send }: Parts): ControlClient {
  const api = createFetchClient<ControlPaths>({ baseUrl: url, bodySerializer: write });
  const callBy =
    (method: Method) =>
    async (path: string, { path: inPath, query, body }: AnySent = {}) => {
      let answer: unknown;
      const fetch = async (request: Request) => {
        answer = await send(request);
        return new Response();
      };
      const init = { params: { path: inPath, query }, body, fetch, parseAs: 'text' };
      await api.request(method, path as never, init as never);
      return answer;
    };
  const client = { GET: callBy('get'), POST: callBy('post'), PUT: callBy('put'), DELETE: callBy('delete') };
  // All paths are called alike; only the types know them.
  return client as unknown as ControlClient;
}
