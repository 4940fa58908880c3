// Messages quote descriptions, never `writeOnly` values. `unique` names values that may occur only once in a seed.
import { channels, eventNames } from '../../openapi/event-names.ts';
import type { Json } from '../../openapi/json.ts';

/** Versions assigned after the seed must also fit in 32 bits. */
const largestVersion = 1_000_000_000;

/** Larger ids were replaced by stand-ins before (see long-ids.ts). */
function idOf(kind: string): Json {
  return {
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'a whole number from 1 to 9223372036854775807 (in code, a bigint above 9007199254740991)',
    unique: `${kind} id`,
  };
}

const version = {
  type: 'integer',
  minimum: 0,
  maximum: largestVersion,
  description: `a whole number from 0 to ${largestVersion}`,
};
const text = { type: 'string', description: 'a text' };
const name = { type: 'string', minLength: 1, description: 'a text of at least one character' };
const tenantName = { ...name, unique: 'tenant name' };
const username = { ...name, unique: 'username' };
const secret = { ...name, writeOnly: true };
const key = {
  type: 'string',
  pattern: '^sp_[!-~]+$',
  description: 'a text that starts with "sp_", followed by printable ASCII characters without blanks',
  writeOnly: true,
  unique: 'API key',
};
const published = { type: 'boolean', description: 'true or false' };
const fields = { type: 'object', description: 'a map' };
/** The address of a chat robot contains its key, so it is `writeOnly`. */
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
  const comment = mapOf({ id: idOf('comment'), author: name, text: name }, ['author', 'text']);
  const site = mapOf(
    {
      id: idOf('site'),
      name,
      version,
      contents: listOf(mapOf({ id: idOf('content'), title: name, text, published }, ['title']), 'contents'),
      submissions: listOf(mapOf({ id: idOf('submission'), form: name, fields }, ['form']), 'submissions'),
      comments: listOf(comment, 'comments'),
      subscriptions: listOf(subscription, 'subscriptions'),
    },
    ['name'],
  );
  return mapOf({ tenants: { ...listOf(tenantOf(site), 'tenants'), minItems: 1 } }, ['tenants']);
}

function tenantOf(site: Json): Json {
  const users = listOf(mapOf({ username, password: secret }, ['username', 'password']), 'users');
  // Section 2.3 of the interface document.
  const keys = { ...listOf(mapOf({ name: text, key }, []), 'API keys'), maxItems: 5 };
  return mapOf({ name: tenantName, users, api_keys: keys, sites: listOf(site, 'sites') }, ['name']);
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
