type RequestField = 'url' | 'events' | 'channel' | 'secret';

/** Likeliest first. */
export const likelyNames: Readonly<Record<RequestField, readonly string[]>> = {
  url: inBothStyles([
    ...['url', 'callback_url', 'target_url', 'webhook_url', 'endpoint', 'receiving_url', 'receiver_url'],
    ...['endpoint_url', 'target', 'hook_url', 'notify_url', 'push_url', 'callback', 'address', 'uri', 'href'],
  ]),
  events: inBothStyles([
    ...['events', 'event_types', 'event_names', 'event_list', 'topics', 'subscribed_events', 'subscriptions'],
    ...['event_type', 'event', 'triggers'],
  ]),
  channel: inBothStyles([
    ...['channel', 'channel_type', 'type', 'kind', 'platform', 'format', 'message_format', 'hook_type'],
    ...['webhook_type', 'provider', 'robot_type'],
  ]),
  secret: inBothStyles([
    ...['secret', 'signing_secret', 'sign_secret', 'signing_key', 'webhook_secret', 'secret_key', 'sign_key'],
    ...['signature_secret', 'signature_key', 'hmac_secret', 'hmac_key', 'shared_secret', 'hmac'],
    ...['key', 'token'],
  ]),
};

export const tokenNames = inBothStyles([
  ...['refresh_token', 'token', 'access_token', 'session_token', 'jwt', 'session'],
]);

export const eventNameFields = inBothStyles(['event', 'event_type', 'event_name', 'type', 'name', 'topic']);

const fieldPatterns: Readonly<Record<RequestField, RegExp>> = {
  secret: /secret|sign|hmac/i,
  url: /url|uri|endpoint|callback|address|target|href|notify|receiver/i,
  events: /event|topic|trigger/i,
  channel: /channel|type|kind|platform|format|provider|robot/i,
};

function inBothStyles(names: readonly string[]): string[] {
  return unique(names.flatMap((name) => [name, toCamel(name)]));
}

function toCamel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

const spellings: readonly [RegExp, (name: string) => string][] = [
  [/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/, (name) => toSnake(name).toUpperCase()],
  [/^[a-z]+(-[a-z]+)+$/, (name) => toSnake(name).replaceAll('_', '-')],
  [/^[A-Z]/, (name) => toCamel(`_${toSnake(name)}`)],
];

/** Puts the names in the style of `example` first, if that is neither snake nor camel case. */
export function spellLike(names: readonly string[], example: string | undefined): string[] {
  const [, spell] = spellings.find(([style]) => example !== undefined && style.test(example)) ?? [];
  return unique([...(spell ? names.map(spell) : []), ...names]);
}

function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`);
}

export function namesForField(field: RequestField, names: readonly string[]): string[] {
  return names.filter((name) => fieldOf(name) === field);
}

/** Tries the more specific patterns first: "event_types" also contains "type". */
function fieldOf(name: string): RequestField | undefined {
  const fields = Object.keys(fieldPatterns) as RequestField[];
  const known = fields.find((field) => likelyNames[field].includes(name));
  return known ?? fields.find((field) => fieldPatterns[field].test(name));
}

export function unique<T>(values: Iterable<T>): T[] {
  return [...new Set(values)];
}

interface FieldSearch {
  /** Whether a name in the refusal may be the field. */
  isLikely(name: string): boolean;
  /** Common names; `example` is a name that this deployment uses. */
  likely: readonly string[];
  example?: string;
}

/** Finds the one field that a body needs, first among the names in the refusal, then among common names. */
export async function findField(
  { sure, possible }: { sure: readonly string[]; possible: readonly string[] },
  { isLikely, likely, example }: FieldSearch,
  passes: (names: readonly string[]) => Promise<boolean>,
): Promise<string | undefined> {
  const named = unique([...sure, ...possible].filter(isLikely));
  for (const names of [named, unique([...named, ...spellLike(likely, named[0] ?? example)])]) {
    if (names.length === 0 || !(await passes(names))) continue;
    const name = await findNeededName(names, passes);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Binary search for the name that a request needs. `passes` sends some of the names; undefined ends the search. */
export async function findNeededName(
  names: readonly string[],
  passes: (some: readonly string[]) => Promise<boolean | undefined>,
): Promise<string | undefined> {
  let left = names;
  while (left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2));
    const hasPassed = await passes(half);
    if (hasPassed === undefined) return undefined;
    left = hasPassed ? half : left.slice(half.length);
  }
  return left[0];
}
