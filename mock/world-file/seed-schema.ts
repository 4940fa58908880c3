// The JSON Schema of a world seed. Messages quote its descriptions, and never repeat `writeOnly` values.
import { channels, eventNames } from '../../openapi/event-names.ts';
import type { Json } from '../../openapi/json.ts';

/** So that neither versions of a seed nor those assigned after them exceed 32 bits. */
const largestVersion = 1_000_000_000;

/** Longer ones have a number that stands for them. */
const id = {
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'a whole number from 1 to 9223372036854775807 (in code, a bigint above 9007199254740991)',
};
const version = {
  type: 'integer',
  minimum: 0,
  maximum: largestVersion,
  description: `a whole number from 0 to ${largestVersion}`,
};
const text = { type: 'string', description: 'a text' };
const name = { type: 'string', minLength: 1, description: 'a text of at least one character' };
const secret = { ...name, writeOnly: true };
const key = {
  type: 'string',
  pattern: '^sp_[!-~]+$',
  description: 'a text that starts with "sp_" and goes on with ASCII characters other than blanks',
  writeOnly: true,
};
const published = { type: 'boolean', description: 'true or false' };
const fields = { type: 'object', description: 'a map' };
/** A chat robot's address holds its key. */
const url = {
  type: 'string',
  format: 'receiving-url',
  description: 'an http or https URL with a host',
  writeOnly: true,
};

export function worldSeedSchema(): Json {
  const subscription = mapOf(
    { url, events: listOf(oneOf(eventNames), 'events'), channel: oneOf(channels), secret },
    ['url', 'events', 'channel'],
  );
  const site = mapOf(
    {
      id,
      name,
      version,
      contents: listOf(mapOf({ id, title: name, text, published }, ['title']), 'contents'),
      submissions: listOf(mapOf({ id, form: name, fields }, ['form']), 'submissions'),
      comments: listOf(mapOf({ id, author: name, text: name }, ['author', 'text']), 'comments'),
      subscriptions: listOf(subscription, 'subscriptions'),
    },
    ['name'],
  );
  return mapOf({ tenants: { ...listOf(tenantOf(site), 'tenants'), minItems: 1 } }, ['tenants']);
}

function tenantOf(site: Json): Json {
  const users = listOf(mapOf({ username: name, password: secret }, ['username', 'password']), 'users');
  // Section 2.3.
  const keys = { ...listOf(mapOf({ name: text, key }, []), 'API keys'), maxItems: 5 };
  return mapOf({ name, users, api_keys: keys, sites: listOf(site, 'sites') }, ['name']);
}

function mapOf(properties: Json, required: readonly string[]): Json {
  const named = required.length > 0 ? required : Object.keys(properties);
  const description = `a map with ${named.map((one) => `"${one}"`).join(', ')}`;
  return { type: 'object', required, additionalProperties: false, properties, description };
}

function listOf(items: Json, plural: string): Json {
  return { type: 'array', items, description: `a list of ${plural}` };
}

function oneOf(names: readonly string[]): Json {
  return { enum: names, description: `one of ${names.join(', ')}` };
}
