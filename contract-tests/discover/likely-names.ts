// Names that deployments are likely to use, and names found in their own messages.

/** The parts of the request for a subscription. */
export type Part = 'url' | 'events' | 'channel' | 'secret';

/** The likeliest first. */
export const likelyNames: Readonly<Record<Part, readonly string[]>> = {
  url: [
    ...[
      'url',
      'callback_url',
      'callbackUrl',
      'target_url',
      'targetUrl',
      'webhook_url',
      'webhookUrl',
      'endpoint',
    ],
    ...[
      'receiving_url',
      'receivingUrl',
      'receiver_url',
      'receiverUrl',
      'endpoint_url',
      'endpointUrl',
      'target',
    ],
    ...[
      'hook_url',
      'hookUrl',
      'notify_url',
      'notifyUrl',
      'push_url',
      'pushUrl',
      'callback',
      'address',
      'uri',
      'href',
    ],
  ],
  events: [
    ...[
      'events',
      'event_types',
      'eventTypes',
      'event_names',
      'eventNames',
      'event_list',
      'eventList',
      'topics',
    ],
    ...[
      'subscribed_events',
      'subscribedEvents',
      'subscriptions',
      'event_type',
      'eventType',
      'event',
      'triggers',
    ],
  ],
  channel: [
    ...['channel', 'channel_type', 'channelType', 'type', 'kind', 'platform', 'format', 'message_format'],
    ...[
      'messageFormat',
      'hook_type',
      'hookType',
      'webhook_type',
      'webhookType',
      'provider',
      'robot_type',
      'robotType',
    ],
  ],
  secret: [
    ...[
      'secret',
      'signing_secret',
      'signingSecret',
      'sign_secret',
      'signSecret',
      'signing_key',
      'signingKey',
    ],
    ...[
      'webhook_secret',
      'webhookSecret',
      'secret_key',
      'secretKey',
      'sign_key',
      'signKey',
      'signature_secret',
    ],
    ...['signatureSecret', 'hmac_secret', 'hmacSecret', 'key', 'token'],
  ],
};

export const tokenNames: readonly string[] = [
  ...[
    'refresh_token',
    'refreshToken',
    'token',
    'access_token',
    'accessToken',
    'session_token',
    'sessionToken',
    'jwt',
  ],
  'session',
];

export const eventNameFields: readonly string[] = [
  ...['event', 'event_type', 'eventType', 'event_name', 'eventName', 'type', 'name', 'topic'],
];

const looks: Readonly<Record<Part, RegExp>> = {
  secret: /secret|sign|hmac/i,
  url: /url|uri|endpoint|callback|address|target|href|notify|receiver/i,
  events: /event|topic|trigger/i,
  channel: /channel|type|kind|platform|format|provider|robot/i,
};

/** Words that could be names of fields, in the order in which they stand in a text. */
export function namesIn(text: string): string[] {
  return [...new Set(text.match(/[A-Za-z_][A-Za-z0-9_-]*/g) ?? [])];
}

/** Names in a deployment's own messages that look like a part of the request for a subscription. */
export function namesFor(part: Part, names: readonly string[]): string[] {
  return names.filter((name) => partOf(name) === part);
}

/** A list's name may hold "type" too: the clearer looks count first. */
function partOf(name: string): Part | undefined {
  const known = (Object.keys(looks) as Part[]).find((part) => likelyNames[part].includes(name));
  return known ?? (Object.keys(looks) as Part[]).find((part) => looks[part].test(name));
}

/** A list without its repetitions. */
export function unique<T>(values: Iterable<T>): T[] {
  return [...new Set(values)];
}
