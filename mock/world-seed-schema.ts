// The JSON Schema of a world seed. Each description says in words what is expected, for messages.
import type { Json } from '../openapi/registers.ts';
import { readDescription } from '../openapi/resolve.ts';

const { schemas } = readDescription('site-publishing.yaml').components;

const id = { type: 'integer', minimum: 1, maximum: 2 ** 53 - 1, description: 'a whole number from 1' };
const version = { type: 'integer', minimum: 0, maximum: 2 ** 53 - 1, description: 'a whole number from 0' };
const text = { type: 'string', description: 'a text' };
const name = { type: 'string', minLength: 1, description: 'a text of at least one character' };
const key = {
  type: 'string',
  pattern: '^sp_\\S+$',
  description: 'a key that starts with "sp_" and has no blanks',
};
const url = {
  type: 'string',
  format: 'uri',
  pattern: '^https?://[^/?#]',
  description: 'an http or https URL',
};
const event = { ...choice('EventName') };
const events = { type: 'array', minItems: 1, items: event, description: 'a list of events' };

const subscription = mapOf({ url, events, channel: choice('Channel'), secret: name }, [
  'url',
  'events',
  'channel',
]);
const published = { type: 'boolean', description: 'true or false' };
const fields = { type: 'object', description: 'a map' };

const site = mapOf(
  {
    id,
    name,
    version,
    contents: listOf(mapOf({ id, title: name, text, published }, ['title'])),
    submissions: listOf(mapOf({ id, form: name, fields }, ['form'])),
    comments: listOf(mapOf({ id, author: name, text: name }, ['author', 'text'])),
    subscriptions: listOf(subscription),
  },
  ['name'],
);

const tenant = mapOf(
  {
    name,
    users: listOf(mapOf({ username: name, password: name }, ['username', 'password'])),
    // Section 8: at most five keys a tenant.
    api_keys: {
      ...listOf(mapOf({ name: text, key })),
      maxItems: 5,
      description: 'a list of at most five keys',
    },
    sites: listOf(site),
  },
  ['name'],
);

export const worldSeedSchema: Json = mapOf({ tenants: listOf(tenant) }, ['tenants']);

function mapOf(properties: Json, required: string[] = []): Json {
  const description = `a map with ${Object.keys(properties).join(', ')}`;
  return { type: 'object', required, additionalProperties: false, properties, description };
}

function listOf(items: Json): Json {
  return { type: 'array', items, description: 'a list' };
}

/** One of the names that the contract lists. */
function choice(schema: 'Channel' | 'EventName'): Json {
  const names = schemas[schema]?.enum as string[];
  return { enum: names, description: `one of ${names.join(', ')}` };
}
