// The typed client of the control API: of this page, of the commands for a running mock, and of `sitepub mcp`.
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

/** From where the control API begins. */
type ControlPaths = {
  [Path in keyof paths as Path extends `/_mock${infer Rest}` ? Rest : never]: paths[Path];
};

type Method = 'get' | 'post' | 'put' | 'delete';

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

type CallBy<Verb extends Method> = <Path extends ClientPathsWithMethod<Client<ControlPaths>, Verb>>(
  path: Path,
  ...given: Given<ControlPaths[Path][Verb]>
) => Promise<MethodResponse<Client<ControlPaths>, Verb, Path>>;

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
  // All paths are called alike; only the types know them.
  return client as unknown as ControlClient;
}
