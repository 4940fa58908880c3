// What is lawful, and not drawn yet since the suite of today accuses it, or leaves it out. What is taken out of these lists is drawn from then on.

/** Values of gaps. */
export const heldValues: Readonly<Record<string, readonly unknown[]>> = {
  'limits.window': ['token-bucket', 'paced'],
  'limits.lock': [61, 120, 300],
  'subscription.secret-rule': ['min-32', 'ascii'],
  // The receiver of the suite has neither https nor a public address: nothing about pushes would be tried.
  'subscription.url-rule': ['https-only', 'public-only'],
  'subscription.id-scope': ['per-site'],
  'subscription.quota': [10, 12, 20],
  'subscription.greeting': ['on-creation'],
  'webhook.latency': [12],
  'webhook.retry-delay': [45],
  'webhook.redirects': ['counted'],
  'idempotency.scope': ['every-post'],
  'publish.duration': [3, 35],
  'publish.unchanged': ['same-version'],
  'publish.concurrent': ['refused'],
};

/** Variations that are chosen by their name. */
export const heldVariations: readonly string[] = [
  ...['other-dates', 'split-seconds', 'lenient-names', 'tidied-urls', 'late-effects', 'cached-credentials'],
  ...['any-scheme', 'swapped-case', 'late-lists', 'slow-creations', 'lenient-ids', 'text-ids'],
  ...['text-json', 'plain-answers', 'untyped-answers'],
];
