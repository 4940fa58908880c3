// Merges operations with the same method and path, because OpenAPI allows only one; their bodies become alternatives.
import { mediaTypeOf } from './description.ts';
import type { Json } from './json.ts';
import type { StatedCall } from './stated-call.ts';
import { type Sign, schemaOfSign, tellApart } from './tell-apart.ts';

export interface Sharer {
  operation: Json;
  sent: StatedCall;
}

/** Does not change a single operation. Merged ones have their own members in `x-operations`; `x-operation` marks their bodies and answers. */
export function shareOperation(sharers: readonly Sharer[]): Json {
  const [first, ...others] = sharers;
  if (!first || others.length === 0) return first?.operation ?? {};
  const all = sharers.map(({ operation }) => operation);
  const { requestBody: _body, parameters: _parameters, 'x-also': _also, ...head } = first.operation;
  const parameters = joinParameters(all);
  const bodies = sharers.filter(({ operation }) => operation.requestBody);
  return {
    ...head,
    operationId: nameOf(all),
    'x-operations': Object.fromEntries(
      sharers.map((one) => [one.operation.operationId, ownPart(one, sharers)]),
    ),
    ...joinMarks(all),
    tags: unique(all.flatMap(({ tags }) => tags as string[])),
    summary: all.map(({ summary }) => String(summary)).join(' / '),
    description: all.map(({ summary, description }) => `- ${summary}: ${description}`).join('\n'),
    // In OpenAPI, `{}` means no credentials.
    security: unique(all.flatMap(({ security }) => ((security as Json[]).length > 0 ? security : [{}]))),
    ...(parameters.length > 0 && { parameters }),
    ...(bodies.length > 0 && { requestBody: joinBodies(bodies, sharers) }),
    responses: joinResponses(all),
  };
}

/** Signs that distinguish an operation's requests from the requests of every other one. */
function signsOf(one: Sharer, sharers: readonly Sharer[]): Sign[] {
  const others = sharers.filter((other) => other !== one);
  return unique(others.flatMap((other) => tellApart(one.sent, other.sent) ?? []));
}

function ownPart(one: Sharer, sharers: readonly Sharer[]): Json {
  const { security, parameters, 'x-gap': gap, 'x-also': also } = one.operation;
  return {
    'x-gap': gap,
    ...(also ? { 'x-also': also } : {}),
    'x-signs': signsOf(one, sharers),
    security,
    ...(parameters ? { parameters } : {}),
  };
}

function nameOf(all: readonly Json[]): string {
  const [first = '', ...others] = all.map(({ operationId }) => String(operationId));
  if (others.length > 2) return `${first}OrOthers`;
  return [first, ...others.map((name) => name.charAt(0).toUpperCase() + name.slice(1))].join('Or');
}

function joinMarks(all: readonly Json[]): Json {
  const idsAt = (mark: string) => unique(all.flatMap((operation) => operation[mark] ?? []));
  const requirements = idsAt('x-requirement');
  return { 'x-gap': idsAt('x-gap'), ...(requirements.length > 0 && { 'x-requirement': requirements }) };
}

/** A parameter may have several constants, and is optional if only some operations need it. */
function joinParameters(all: readonly Json[]): Json[] {
  const stated = all.map(({ parameters }) => (parameters ?? []) as Json[]);
  const named = Map.groupBy(stated.flat(), (parameter) => JSON.stringify([parameter.in, parameter.name]));
  return [...named.values()].map((alike) => {
    const schemas = unique(alike.map(({ schema }) => schema));
    const { required: _required, ...parameter } = alike[0] ?? {};
    const isRequired = alike.length === all.length && alike.every(({ required }) => required);
    const schema = schemas.length > 1 ? { anyOf: schemas } : schemas[0];
    return { ...parameter, ...(isRequired && { required: true }), schema };
  });
}

/** If only the query distinguishes two bodies, both alternatives may match. */
function joinBodies(bodies: readonly Sharer[], sharers: readonly Sharer[]): Json {
  const alternatives = bodies.map((one) => {
    const signs = signsOf(one, bodies).filter((sign) => sign.in === 'body' && sign.isNegated);
    const excluded = signs.map(schemaOfSign);
    return {
      title: one.operation.summary,
      'x-operation': one.operation.operationId,
      ...schemaOf(one.operation.requestBody as Json),
      ...(excluded.length > 0 && { not: excluded.length === 1 ? excluded[0] : { anyOf: excluded } }),
    };
  });
  const isByBody = bodies.every((one) => signsOf(one, bodies).every((sign) => sign.in === 'body'));
  const schema =
    alternatives.length === 1 ? alternatives[0] : { [isByBody ? 'oneOf' : 'anyOf']: alternatives };
  return { required: bodies.length === sharers.length, content: { 'application/json': { schema } } };
}

function joinResponses(all: readonly Json[]): Json {
  const statuses = Map.groupBy(all, ({ responses }) => String(Object.keys(responses as Json)[0]));
  const joined = [...statuses].map(([status, alike]) => [status, joinSuccess(status, alike)]);
  const [, ...failures] = Object.entries(all[0]?.responses as Json);
  return Object.fromEntries([...joined, ...failures]);
}

function joinSuccess(status: string, alike: readonly Json[]): Json {
  const successes = alike.map(({ responses }) => (responses as Record<string, Json>)[status] as Json);
  const schemas = alike.map(({ operationId, summary }, index) => ({
    title: `${summary}: the answer`,
    'x-operation': operationId,
    ...schemaOf(successes[index] as Json),
  }));
  return {
    ...successes[0],
    'x-gap': alike.map((operation) => operation['x-gap']),
    content: { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } },
  };
}

function schemaOf(message: Json): Json {
  return mediaTypeOf(message)?.schema as Json;
}

function unique<T>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
