// Puts a description together from the operations of an API and the habits of a framework.
import type { Json } from '../../../openapi/json.ts';
import type { Random } from '../../../openapi/random-profile.ts';
import type { ApiOperation, ApiParameter } from './api-model.ts';
import type { Framework } from './framework.ts';
import { hiddenAnswers, writeAnswers } from './write-answers.ts';
import { writeBody } from './write-body.ts';
import { createSchemaWriter, type SchemaWriter } from './write-schema.ts';

/** What a description tells of one operation. */
export interface Told {
  operation: ApiOperation;
  answer: boolean;
  /** The gaps whose answers are not described, since another one has the same status. */
  hidden: readonly string[];
  status: boolean;
  auth: boolean;
  /** Which bodies there are, where there are several. */
  bodies: boolean;
  /** What else the call does. */
  details: boolean;
}

export interface Written {
  description: Json;
  told: readonly Told[];
}

export function writeDescription(
  operations: readonly ApiOperation[],
  framework: Framework,
  random: Random,
): Written {
  const writer = createSchemaWriter(framework.dialect, memorize(random));
  const paths: Record<string, Json> = {};
  const taken = new Set<string>();
  const told = operations.map((operation): Told => {
    const isShown = framework.showsAnswer(operation);
    const id = framework.idOf?.(operation, taken);
    if (id !== undefined) taken.add(id);
    const path = framework.prefix + operation.path;
    const written = writeOperation(operation, { framework, writer, id, isShown });
    const method = operation.method.toLowerCase();
    if (paths[path]?.[method] !== undefined)
      throw new Error(`${method} ${path} is described twice; give one of them another path`);
    paths[path] = { ...paths[path], ...splitPathItem(written, operation, framework) };
    return { ...tellOf(operation, framework, isShown), details: saysDetails(written, operation) };
  });
  const { dialect, head, components = {} } = framework;
  const parts =
    dialect.version === '2.0'
      ? { ...components, definitions: writer.components }
      : { components: { ...components, schemas: writer.components } };
  return { description: { ...head, paths, ...parts }, told };
}

/** The same question has the same answer in the whole description. */
function memorize(random: Random): (key: string, probability: number) => boolean {
  const known = new Map<string, boolean>();
  return (key, probability) => {
    const answer = known.get(key) ?? random.chance(probability);
    known.set(key, answer);
    return answer;
  };
}

/** The members that a written operation adds to its path. */
function splitPathItem(written: Json, { method }: ApiOperation, { hasPathItems }: Framework): Json {
  const all = written.parameters as Json[];
  const inPath = all.filter((one) => one.in === 'path');
  if (!hasPathItems) return { [method.toLowerCase()]: written };
  return {
    ...(inPath.length > 0 && { parameters: inPath }),
    [method.toLowerCase()]: { ...written, parameters: all.filter((one) => one.in !== 'path') },
  };
}

function saysDetails({ summary, description }: Json, { details }: ApiOperation): boolean {
  const text = `${summary} ${description}`;
  return details !== undefined && (text.includes(details.en) || text.includes(details.zh));
}

function tellOf(operation: ApiOperation, framework: Framework, isShown: boolean): Omit<Told, 'details'> {
  const { statusOf = ({ status }) => status, tellsAuth, alternatives } = framework;
  const isKind = operation.auth === 'session' || operation.auth === 'api-key';
  return {
    operation,
    answer: isShown,
    hidden: hiddenAnswers(operation, framework),
    status: operation.answers.every((answer) => statusOf(answer) === answer.status),
    auth: tellsAuth === 'kinds' || (tellsAuth === 'whether' && !isKind),
    bodies: operation.bodies.length < 2 || alternatives !== undefined,
  };
}

interface Writing {
  framework: Framework;
  writer: SchemaWriter;
  id: string | undefined;
  isShown: boolean;
}

function writeOperation(operation: ApiOperation, writing: Writing): Json {
  const { framework, writer, id, isShown } = writing;
  const is2 = framework.dialect.version === '2.0';
  const body = writeBody(operation, framework, writer);
  const query =
    framework.writeQuery?.(operation, writer) ??
    operation.query.map((one) => writeParameter(one, 'query', writing));
  const parameters = [
    ...operation.pathParameters.map((one) => writeParameter(one, 'path', writing)),
    ...query,
  ];
  const name = framework.bodyName?.(operation) ?? 'body';
  const inBody = body && is2 ? [{ in: 'body', name, description: name, required: true, schema: body }] : [];
  const types = framework.requestTypes ?? ['application/json'];
  const written = {
    ...framework.textsOf(operation),
    ...(id !== undefined && { operationId: id }),
    ...(is2 && (body ? { consumes: types } : {})),
    ...(is2 && { produces: [framework.answerType ?? 'application/json'] }),
    parameters: [...parameters, ...inBody],
    ...(body &&
      !is2 && {
        requestBody: {
          required: true,
          content: Object.fromEntries(types.map((type) => [type, { schema: body }])),
        },
      }),
    responses: writeAnswers(operation, { framework, writer, isShown }),
    ...framework.securityOf(operation),
    ...(operation.isDeprecated && { deprecated: true }),
  };
  return framework.finishOperation?.(written, operation) ?? written;
}

function writeParameter(given: ApiParameter, place: 'path' | 'query', { framework, writer }: Writing): Json {
  const { name, value, isRequired } = given;
  const { description, example, ...schema } = writer.write(value, 'request', name);
  const about = { ...(description !== undefined && { description }) };
  const head = { name, in: place, required: place === 'path' || isRequired, ...about };
  const written =
    framework.dialect.version === '2.0'
      ? { ...head, ...schema }
      : { ...head, schema, ...(example !== undefined && { example }) };
  return framework.finishParameter?.(written, given) ?? written;
}
