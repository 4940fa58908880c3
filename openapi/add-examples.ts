import { type Description, mediaTypeOf } from './description.ts';
import type { Json } from './json.ts';
import { getAt } from './json-pointer.ts';
import { type Operation, operationsOf, writeLayout, writeRequest } from './operations.ts';
import type { Profile } from './profile.ts';
import type { Samples } from './samples.ts';
import { fillTemplate } from './template.ts';

export function addExamples(description: Description, samples: Samples, profile: Profile): void {
  const operations = operationsOf(description);
  for (const operation of operations)
    for (const media of mediaOf(description, operation)) media.examples = {};
  for (const operation of operations) {
    const { id, parameters, query = [] } = operation;
    const [success, request] = mediaOf(description, operation);
    if (request) example(request, id, writeRequest(operation, samples.sent));
    if (success) example(success, id, answerOf(operation, samples, profile));
    for (const { name, schema } of parameters) exampleOfParameter(description, schema, samples.sent[name]);
    for (const { template, schema } of query)
      exampleOfParameter(description, schema, fillTemplate(template, samples.sent));
  }
}

/** Values that a call may omit, for example a page, have no sample. */
function exampleOfParameter(description: Description, schema: string, value: unknown): void {
  if (value !== undefined) Object.assign(getAt(description, schema) as Json, { examples: [value] });
}

function example(media: Json, id: string, value: unknown): void {
  media.examples = { ...(media.examples as Json), [id]: { summary: id, value } };
}

function mediaOf({ paths }: Description, { path, method, success, request }: Operation): Json[] {
  const object = paths[path]?.[method.toLowerCase()] as Json;
  const response = (object.responses as Record<string, Json>)[String(success.status)];
  return [mediaTypeOf(response) ?? {}, ...(request ? [mediaTypeOf(object.requestBody as Json) ?? {}] : [])];
}

function answerOf(operation: Operation, { sent, answered }: Samples, { values }: Profile): Json {
  const envelope = { code: 0, message: 'success', data: {}, trace_id: '4bf92f3577b34da6' };
  const own = { id: idIn(operation.id, sent), state: stateIn(operation.id) };
  const list = (answered.list as Json[]).map((item) => ({ ...item, ...own }));
  const lifetime = values['token.lifetime'];
  writeLayout(operation.success.layout, { ...answered, ...own, list, expires_in: lifetime }, envelope);
  return envelope;
}

/** The identifiers of subscriptions have a type that the profile defines; all others are numbers. */
export function idIn(operation: string, sent: Samples['sent']): unknown {
  return /^(createSubscription|listSubscriptions)$/.test(operation) ? sent.subscriptionID : sent.siteID;
}

export function stateIn(operation: string): string {
  if (/^(listContents|getContent)$/.test(operation)) return 'published';
  return operation === 'getPublish' ? 'complete' : 'delivered';
}
