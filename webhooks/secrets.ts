/** One signing secret, or several while one takes the place of another. */
export type WebhookSecret = string | readonly string[];

/** The secrets to try. Throws TypeError where there is none, for nothing could be verified. */
export function requireSecrets(secret: WebhookSecret): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every(isSecret))
    throw new TypeError(
      'verifying webhooks needs the signing secret of the subscription, a text that is not empty; is the environment variable set?',
    );
  return secrets;
}

function isSecret(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
