import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { Secrets } from '../../contract-tests/redaction/redact.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { explain } from '../../mock/control/control-error.ts';
import type { Json } from '../../openapi/json.ts';
import { createErrorFinder } from '../../openapi/validate.ts';
import type { Given } from '../options/flags.ts';
import { findMock, type MockClient } from '../steer/mock-client.ts';
import { lastMock } from '../steer/running-mocks.ts';
import { addSecretsOf, secretsOfEnvironment } from './harmless-data.ts';

/** JSON Schemas of required and of optional members. */
export interface Input {
  needs?: Readonly<Record<string, Json>>;
  takes?: Readonly<Record<string, Json>>;
}

export interface Tool extends Input {
  name: string;
  description: string;
  /** Not given for a tool that only reads data of sitepub, the mock or reports. */
  annotations?: ToolAnnotations;
  /** `input` is valid. The client gets the message of an error. */
  call(input: object, call: Call): object | Promise<object>;
}

export interface Call {
  session: Session;
  /** Aborted when the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Sends progress if the client asked for it. `done` only grows. */
  reportProgress(progress: { done: number; total: number; message: string }): void;
}

export function schemaOf({ needs = {}, takes = {} }: Input) {
  const properties = { ...needs, ...takes };
  return { type: 'object' as const, properties, required: Object.keys(needs), additionalProperties: false };
}

/** Returns what is wrong with an input and what is allowed. */
export function createProblemFinder(schema: Json): (input: unknown) => string | undefined {
  const components = { schemas: { Input: schema }, parameters: {}, responses: {} };
  const findErrors = createErrorFinder({ paths: {}, webhooks: {}, components });
  return (input) => {
    const errors = findErrors('/components/schemas/Input', input);
    return errors.length === 0 ? undefined : explain(errors, 'the arguments');
  };
}

export function text(description: string): Json {
  return { type: 'string', minLength: 1, maxLength: 1_000, description };
}

export function texts(description: string): Json {
  return { type: 'array', maxItems: 1_000, items: { type: 'string', maxLength: 1_000 }, description };
}

export function oneOf(values: readonly string[], description: string): Json {
  return { type: 'string', enum: [...values], description };
}

export function count(description: string, maximum?: number): Json {
  return { type: 'integer', minimum: 1, ...(maximum !== undefined && { maximum }), description };
}

export function yesOrNo(description: string): Json {
  return { type: 'boolean', description: `${description} Default: false.` };
}

export const mostRows = 50;
const usualRows = 20;

export interface PageInput {
  cursor?: number;
  limit?: number;
}

export const pageMembers = {
  cursor: { ...count('`next` of the previous page. Default: the first page.'), minimum: 0 },
  limit: count(`Maximum number of rows, up to ${mostRows}. Default: ${usualRows}.`),
};

export function limitOf({ limit = usualRows }: PageInput): number {
  return Math.min(limit, mostRows);
}

export interface Session {
  given: Given;
  allowsChanges: boolean;
  secrets: Secrets;
  /** Also adds the secrets of its world, because any text of the mock may contain them. Throws MockUnreachable or Refused. */
  useMock<Answer>(use: (mock: MockClient) => Promise<Answer>): Promise<Answer>;
  lastReport: Report | undefined;
  /** Settles when the current run has cleaned up. */
  run: Promise<void> | undefined;
}

/** Throws UsageError if a file with a secret cannot be read. */
export function createSession(given: Given): Session {
  const secrets = secretsOfEnvironment();
  let known: { key: string; mock: MockClient } | undefined;
  const find = () => {
    const key = given.text('control-url') ?? JSON.stringify(lastMock());
    // Each call of findMock adds to the trusted certificates.
    if (!known || known.key !== key) known = { key, mock: findMock(given) };
    return known.mock;
  };
  return {
    given,
    allowsChanges: given.switched('allow-changes'),
    secrets,
    useMock: async (use) => {
      const mock = find();
      const answer = await use(mock);
      addSecretsOf((await mock.GET('/tenants')).tenants, secrets);
      return answer;
    },
    lastReport: undefined,
    run: undefined,
  };
}
