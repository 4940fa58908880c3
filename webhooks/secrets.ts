/** One signing secret, or several while one replaces another. */
export type WebhookSecret = string | readonly string[];

/** Throws TypeError without a secret, or if one is empty. */
export function requireSecrets(secret: WebhookSecret): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every(isSecret))
    throw new TypeError(
      'verifying webhooks needs the signing secret of the subscription, a non-empty text; is the environment variable set?',
    );
  return secrets;
}

function isSecret(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
