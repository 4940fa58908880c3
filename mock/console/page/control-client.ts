// Used by this page, by the commands for a running mock and by `sitepub mcp`.
import {
  type Client,
  type ClientPathsWithMethod,
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
  type MethodResponse,
  removeTrailingSlash,
} from 'openapi-fetch';
import type { paths } from '../../../openapi/generated/control-types.ts';

/** Paths without the prefix `/_mock`. */
type ControlPaths = {
  [Path in keyof paths as Path extends `/_mock${infer Rest}` ? Rest : never]: paths[Path];
};

type Method = 'get' | 'post' | 'put' | 'delete';

/** Members may be undefined, which JSON leaves out. */
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

type CallBy<Verb extends Method> = <Path extends ClientPathsWithMethod<Client<ControlPaths>, Verb>>(
  path: Path,
  ...given: Given<ControlPaths[Path][Verb]>
) => Promise<MethodResponse<Client<ControlPaths>, Verb, Path>>;

/** Each method returns the answer, or throws what `send` throws. */
export interface ControlClient {
  GET: CallBy<'get'>;
  POST: CallBy<'post'>;
  PUT: CallBy<'put'>;
  DELETE: CallBy<'delete'>;
}

interface Parts {
  url: string;
  write(value: unknown): string;
  /** Returns the parsed answer; throws unless the call succeeded. */
  send(request: Request): Promise<unknown>;
}

interface AnySent {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export function createControlClient({ url, write, send }: Parts): ControlClient {
  const baseUrl = removeTrailingSlash(url);
  const serializers = { querySerializer: createQuerySerializer(), pathSerializer: defaultPathSerializer };
  const callBy =
    (method: string) =>
    async (path: string, { body, ...params }: AnySent = {}) => {
      const address = createFinalURL(path, { baseUrl, params, ...serializers });
      const sent =
        body === undefined ? {} : { body: write(body), headers: { 'content-type': 'application/json' } };
      return send(new Request(address, { method, ...sent }));
    };
  const client = { GET: callBy('GET'), POST: callBy('POST'), PUT: callBy('PUT'), DELETE: callBy('DELETE') };
  // Only the types distinguish the paths.
  return client as unknown as ControlClient;
}
