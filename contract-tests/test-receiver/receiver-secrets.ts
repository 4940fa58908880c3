import { createSecrets, type Secrets } from '../redaction/redact.ts';
import type { ReceiverOptions } from './receiver-options.ts';

/** In characters. Shorter query values, such as the 1 of `?debug=1`, are not keys. */
const shortestKey = 8;

/** The secret, and values in the query of the address, because chat bots and gateways have keys there. */
export function secretsOfReceiver({ url, secret }: Pick<ReceiverOptions, 'url' | 'secret'>): Secrets {
  const secrets = createSecrets();
  secrets.add('SITEPUB_WEBHOOK_SECRET', secret);
  for (const [name, value] of new URL(url).searchParams) {
    // A query may consist of a key only.
    const [key, place] = value === '' ? [name, 'query of the address'] : [value, `${name} of the address`];
    if (key.length >= shortestKey) secrets.add(place, key);
  }
  return secrets;
}
