// Puts a description together from the operations of an API and the habits of a framework.
import type { Json } from '../../../openapi/json.ts';
import type { Random } from '../../../openapi/random-profile.ts';
import type { ApiAnswer, ApiOperation, ApiParameter, ApiValue } from './api-model.ts';
import { createSchemaWriter, type Dialect, type SchemaWriter } from './write-schema.ts';

/** What a framework does. */
export interface Framework {
  dialect: Dialect;
  /** Members of the description besides its paths and components. */
  head: Json;
  /** Members of `components`, or of the description in version 2.0, besides the schemas. */
  components?: Json;
  /** What stands before each path. */
  prefix: string;
  idOf?: (operation: ApiOperation, taken: ReadonlySet<string>) => string;
  /** Summary, description and tags. */
  textsOf: (operation: ApiOperation) => Json;
  /** The schema of an answer. */
  wrap: (body: ApiValue, operation: ApiOperation, writer: SchemaWriter) => Json;
  /** Whether an answer is described, and not only its status. */
  showsAnswer: (operation: ApiOperation) => boolean;
  /** The schema of an answer that is not described; undefined where it has none. */
  hiddenAnswer?: Json;
  /** The status that the description says, where that is not the one of the answer. */
  statusOf?: (answer: ApiAnswer) => number;
  descriptionOf?: (status: number, operation: ApiOperation) => string;
  requestTypes?: readonly string[];
  answerType?: string;
  /** Changes a body before it is written. */
  changeBody?: (body: ApiValue, operation: ApiOperation) => ApiValue;
  /** Whether the parameters in a path stand beside its operations. */
  hasPathItems?: boolean;
  /** How alternatives of a body are written; undefined where one body with all their members stands for them. */
  alternatives?: 'oneOf' | 'anyOf';
  bodyName?: (operation: ApiOperation) => string;
  /** Answers that are failures, by status. */
  failuresOf?: (operation: ApiOperation, writer: SchemaWriter) => Json;
  /** The member `security`, if any. */
  securityOf: (operation: ApiOperation) => Json;
  /** Whether `securityOf` tells session tokens from API keys; "nothing" where it does not even tell who needs one. */
  tellsAuth: 'kinds' | 'whether' | 'nothing';
  /** Writes the parameters of a query in another way than one by one. */
  writeQuery?: (operation: ApiOperation, writer: SchemaWriter) => Json[] | undefined;
  finishParameter?: (parameter: Json, given: ApiParameter) => Json;
  finishOperation?: (written: Json, operation: ApiOperation) => Json;
}

/** What a description tells of one operation. */
export interface Told {
  operation: ApiOperation;
  answer: boolean;
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
  const { framework, writer, id } = writing;
  const is2 = framework.dialect.version === '2.0';
  const body = bodySchema(operation, writing);
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
    responses: writeResponses(operation, writing),
    ...framework.securityOf(operation),
    ...(operation.isDeprecated && { deprecated: true }),
  };
  return framework.finishOperation?.(written, operation) ?? written;
}

function bodySchema(operation: ApiOperation, { framework, writer }: Writing): Json | undefined {
  const bodies = operation.bodies.map((body) => framework.changeBody?.(body, operation) ?? body);
  const [first, ...others] = bodies;
  if (!first) return undefined;
  if (others.length === 0) return writer.write(first, 'request');
  const { alternatives } = framework;
  if (alternatives) return { [alternatives]: bodies.map((body) => writer.write(body, 'request')) };
  return writer.write(mergeBodies(bodies), 'request');
}

/** All members of several bodies, of which those are required that all of them require. */
function mergeBodies(bodies: readonly ApiValue[]): ApiValue {
  const [first] = bodies;
  const all = bodies.flatMap(({ properties = [] }) => properties);
  const isInAll = (name: string) =>
    bodies.every(({ properties = [] }) => properties.some((one) => one.name === name && one.isRequired));
  const merged = [...new Map(all.map((one) => [one.name, one])).values()];
  const properties = merged.map((one) => ({
    ...one,
    isRequired: isInAll(one.name),
    value: loosen(one.value),
  }));
  return { type: 'object', properties, ...(first?.model && { model: first.model }) };
}

/** A constant of one of several bodies is one of the values that others have. */
function loosen(value: ApiValue): ApiValue {
  if (!value.constant)
    return {
      ...value,
      ...(value.properties && {
        properties: value.properties.map((one) => ({ ...one, value: loosen(one.value) })),
      }),
    };
  const { constant, ...rest } = value;
  return typeof constant.value === 'string' ? { ...rest, example: constant.value } : rest;
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

function writeResponses(operation: ApiOperation, { framework, writer, isShown }: Writing): Json {
  const {
    statusOf = ({ status }) => status,
    descriptionOf = () => 'OK',
    answerType = 'application/json',
  } = framework;
  const is2 = framework.dialect.version === '2.0';
  const successes = operation.answers.map((answer) => {
    const description = descriptionOf(statusOf(answer), operation);
    const schema = isShown ? framework.wrap(answer.body, operation, writer) : framework.hiddenAnswer;
    const content = is2 ? { schema } : { content: { [answerType]: { schema } } };
    return [String(statusOf(answer)), { description, ...(schema && content) }] as const;
  });
  return { ...Object.fromEntries(successes), ...framework.failuresOf?.(operation, writer) };
}
