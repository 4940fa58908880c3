import { createSecrets, type Secrets } from '../redaction/redact.ts';
import type { ReceiverOptions } from './receiver-options.ts';

/** What is shorter is no key, such as the 1 of `?debug=1`, in characters. */
const shortestKey = 8;

/** What a run against a receiver must not show: the secret, and values in the query of its address, where robots and gateways have keys. */
export function secretsOfReceiver({ url, secret }: Pick<ReceiverOptions, 'url' | 'secret'>): Secrets {
  const secrets = createSecrets();
  secrets.add('SITEPUB_WEBHOOK_SECRET', secret);
  for (const [name, value] of new URL(url).searchParams) {
    // A query may be a key alone.
    const [key, place] = value === '' ? [name, 'query of the address'] : [value, `${name} of the address`];
    if (key.length >= shortestKey) secrets.add(place, key);
  }
  return secrets;
}
