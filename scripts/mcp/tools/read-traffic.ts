// Tools that read what the mock was asked, what it pushed, and what came to its inboxes.

import {
  redactAddress,
  redactBody,
  redactHeaders,
  redactText,
} from '../../../mock/control/redact-request.ts';
import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { inboxNamed } from '../../steer/inbox-named.ts';
import { limitOf, type PageInput, pageSchemas } from '../page.ts';
import { defineTool, type Tool } from '../tool.ts';

interface TrafficInput extends PageInput {
  order?: 'oldest' | 'newest';
  with_bodies?: boolean;
}

const trafficSchemas = {
  order: { type: 'string', enum: ['newest', 'oldest'], description: 'Which come first. Default: newest.' },
  with_bodies: { type: 'boolean', description: 'Shows headers and bodies, too. Default: false.' },
  ...pageSchemas,
};

const listRequests = defineTool<TrafficInput & { operation?: string }>({
  name: 'list_requests',
  title: 'List requests',
  description:
    'Lists what the service of the mock was asked and what it answered: method, path, who called, status, code, trace_id, and why it was refused. Secrets are hidden.',
  isReadOnly: true,
  hasTextsOfOthers: true,
  input: {
    operation: { type: 'string', maxLength: 60, description: 'Only those of an operationId, such as login.' },
    ...trafficSchemas,
  },
  call: async (input, { session }) => {
    const query = { ...queryOf(input), operation: input.operation };
    const { requests, ...page } = await session.findMock().GET('/requests', { query });
    return { requests: input.with_bodies ? requests : requests.map(shortRequest), ...page };
  },
});

/** A request without headers and bodies. */
export function shortRequest(request: Schemas['Request']): object {
  const { request_headers: _headers, request_body: _body, response_body: _answer, ...short } = request;
  return short;
}

const listDeliveries = defineTool<TrafficInput & { state?: Schemas['DeliveryState']; site_id?: number }>({
  name: 'list_deliveries',
  title: 'List deliveries',
  description:
    'Lists the pushes (webhook messages) of the mock with their state and all attempts: when, why, status or error, and when the next is due.',
  isReadOnly: true,
  hasTextsOfOthers: true,
  input: {
    state: {
      type: 'string',
      enum: ['pending', 'delivered', 'given-up'],
      description: 'Only those in this state.',
    },
    site_id: { type: 'integer', minimum: 1, description: 'Only those of a site.' },
    ...trafficSchemas,
  },
  call: async (input, { session }) => {
    const { state, site_id: site } = input;
    const query = { ...queryOf(input), state, site_id: site };
    const { deliveries, ...page } = await session.findMock().GET('/deliveries', { query });
    return { deliveries: deliveries.map((one) => showDelivery(one, input.with_bodies)), ...page };
  },
});

/** A delivery; unless asked for, without headers, bodies and the answers of receivers. */
export function showDelivery(
  { signature: _signature, ...delivery }: Schemas['Delivery'],
  isWhole = false,
): object {
  const { body, attempts, ...short } = delivery;
  if (!isWhole) return { ...short, attempts: attempts.map(shortAttempt) };
  return { ...short, body: withoutSecrets(body), attempts: attempts.map(wholeAttempt) };
}

/** An attempt without headers and answer. */
export function shortAttempt<One extends Schemas['Attempt']>(attempt: One): object {
  const { request_headers: _headers, answer: _answer, ...short } = attempt;
  return short;
}

function wholeAttempt({ request_headers: headers, answer, ...attempt }: Schemas['Attempt']): object {
  return {
    ...attempt,
    request_headers: redactHeaders(headers),
    ...(answer !== undefined && { answer: withoutSecrets(answer) }),
  };
}

const listMessages = defineTool<TrafficInput & { inbox: string }>({
  name: 'list_messages',
  title: 'List messages',
  description:
    'Lists what came to an inbox of the mock, a built-in webhook receiver: method, path, whether the signature is right, and what was answered.',
  isReadOnly: true,
  hasTextsOfOthers: true,
  input: {
    inbox: { type: 'string', minLength: 1, maxLength: 100, description: 'The name of the inbox.' },
    ...trafficSchemas,
  },
  required: ['inbox'],
  call: async (input, { session }) => {
    const sent = { path: inboxNamed(input.inbox), query: queryOf(input) };
    const { messages, ...page } = await session.findMock().GET('/inbox/{name}/messages', sent);
    return { messages: messages.map((one) => showMessage(one, input.with_bodies)), ...page };
  },
});

/** Messages are kept as they came, with their secrets. */
function showMessage(message: Schemas['Message'], isWhole = false): object {
  const { headers, body, body_base64: base64, path, ...short } = message;
  const shown = { ...short, path: redactAddress(path) };
  if (!isWhole) return shown;
  return {
    ...shown,
    headers: redactHeaders(headers),
    ...(body !== undefined && { body: withoutSecrets(body) }),
    ...(base64 !== undefined && { body_note: 'not UTF-8, and left out' }),
  };
}

/** A text of others, as JSON where it is that. */
function withoutSecrets(body: string): unknown {
  try {
    JSON.parse(body);
  } catch {
    return redactText(body);
  }
  return redactBody(body, { names: [], pointers: [] });
}

function queryOf(input: TrafficInput) {
  const { cursor, order = 'newest' } = input;
  return { order, limit: limitOf(input), cursor };
}

export const trafficTools: readonly Tool[] = [listRequests, listDeliveries, listMessages];
