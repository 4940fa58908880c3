import { createSecrets, type Secrets } from '../../contract-tests/redaction/redact.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { type Environment, readSecret, readSecretLines } from '../options/flags.ts';

/** Variables that hold a secret, or name a file with it. */
const secretVariable =
  /^SITEPUB_(?:\w*(?:PASSWORD|SECRETS?|TOKEN|API_KEY|PASSPHRASE)|HEADER_\w+?)(?:_FILE)?$/;

/** A header of fewer letters keeps no secret; hiding it would only hide other texts. */
const shortestHeader = 4;

/** The secrets that the environment holds, so that no answer shows them. Throws UsageError where a file of one can't be read. */
export function knownSecrets(environment: Environment = process.env): Secrets {
  const secrets = createSecrets();
  const names = Object.keys(environment).filter((name) => secretVariable.test(name));
  for (const name of new Set(names.map((one) => one.replace(/_FILE$/, '')))) {
    const file = environment[`${name}_FILE`];
    const values = environment[name] || !file ? [readSecret(name, environment)] : readSecretLines(name, file);
    for (const value of values)
      if (!name.startsWith('SITEPUB_HEADER_') || (value?.length ?? 0) >= shortestHeader)
        secrets.add(name, value);
  }
  for (const value of [
    environment.HTTPS_PROXY,
    environment.HTTP_PROXY,
    environment.https_proxy,
    environment.http_proxy,
  ])
    secrets.add('PROXY_PASSWORD', passwordIn(value));
  return secrets;
}

/** To hide one of these, such as "secret", would hide names of members. */
const plainWord = /^[a-z]{1,11}$/i;

/** Adds what gives access to tenants of a mock, and what signs their pushes: anybody may have written it into a text. */
export function addSecretsOf(tenants: readonly Schemas['Tenant'][], secrets: Secrets): void {
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && !plainWord.test(value)) secrets.add(name, value);
  };
  for (const { users, api_keys: keys, signing_secrets: signing = [] } of tenants) {
    for (const { password } of users) add('SITEPUB_PASSWORD', password);
    for (const { key } of keys) add('SITEPUB_API_KEY', key);
    for (const secret of signing) add('SITEPUB_WEBHOOK_SECRET', secret);
  }
}

function passwordIn(address: string | undefined): string | undefined {
  const password = address === undefined ? undefined : URL.parse(address)?.password;
  try {
    return password && decodeURIComponent(password);
  } catch {
    return password;
  }
}
