// The most obvious names and places, for deployments whose gaps can be found out by trying.

/** Likely values, by gap id. */
export const guessable: Readonly<Record<string, readonly unknown[]>> = {
  'subscription.request.url': [
    ...['url', 'callback_url', 'callbackUrl', 'target_url', 'targetUrl', 'endpoint', 'receiving_url'],
  ],
  'subscription.request.events': ['events', 'event_types', 'eventTypes', 'event_names', 'topics'],
  'subscription.request.channel': ['channel', 'type', 'channel_type', 'channelType'],
  'subscription.request.secret': [
    ...['secret', 'signing_secret', 'signingSecret', 'signing_key', 'webhook_secret'],
  ],
  'login.token': [
    ...['/data/token', '/data/accessToken', '/data/access_token', '/data/session/token', '/data/auth/token'],
  ],
  'login.expires-in': ['/data/expires_in', '/data/expiresIn', '/data/session/expires_in', '/data/ttl'],
  'refresh.token': [
    ...['/data/token', '/data/accessToken', '/data/access_token', '/data/session/token', '/data/auth/token'],
  ],
  'refresh.request': [{ token: '{token}' }, { access_token: '{token}' }, { accessToken: '{token}' }],
  'subscription.response.id': [
    ...['/data/id', '/data/webhook_id', '/data/webhookId', '/data/subscription/id', '/data/subscription_id'],
  ],
  'subscription.response.url': [
    '/data/url',
    '/data/callback_url',
    '/data/subscription/url',
    '/data/targetUrl',
  ],
  'subscription.response.events': ['/data/events', '/data/event_types', '/data/subscription/events'],
  'subscription.response.channel': ['/data/channel', '/data/type', '/data/subscription/channel'],
  'subscription.response.secret': ['/data/secret', '/data/signing_secret', '/data/subscription/secret'],
  'hook-test.request': [{ event: '{event}' }, { event_type: '{event}' }, { eventType: '{event}' }],
  'hook-test.delivered': ['/data/delivered', '/data/success', '/data/result/delivered'],
};
