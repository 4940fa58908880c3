// openapi-backend on node:http: routes and validates by the same description, a constant answer.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import addFormats from 'ajv-formats';
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend';
import type { OperationId } from '../../../openapi/operations.ts';
import { constantAnswers } from '../constants.ts';
import { listen } from '../listen.ts';
import { rootedDescription } from '../schemas.ts';
import { serve } from '../serve.ts';

type Handler = (context: Context, request: IncomingMessage, response: ServerResponse) => void;

const refuse: Handler = (_context, _request, response) => answer(response, 400, { code: 1 });
const answerConstantly =
  (id: OperationId): Handler =>
  (_context, _request, response) =>
    answer(response, 200, constantAnswers[id] ?? {});

const api = new OpenAPIBackend({
  definition: rootedDescription() as unknown as Document,
  // Its own check of the document knows OpenAPI 3.0 only.
  quick: true,
  ajvOpts: { strict: false },
  customizeAjv: (ajv) => addFormats.default(ajv),
  securityHandlers: { sessionToken: () => true, apiKey: () => true },
  handlers: {
    login: answerConstantly('login'),
    createSubscription: answerConstantly('createSubscription'),
    validationFail: refuse,
    notFound: refuse,
  },
});
await api.init();
const server = createServer((request, response) => void handle(request, response));
serve({ origin: await listen(server) });

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '' } = request;
  const headers = request.headers as Record<string, string | string[]>;
  const body: unknown = JSON.parse((await buffer(request)).toString());
  await api.handleRequest({ method, path, headers, body }, request, response);
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  response.writeHead(status, headers).end(text);
}
