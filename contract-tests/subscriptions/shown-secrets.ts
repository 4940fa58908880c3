// The signing secret in other places than the answer to the creation, where it is a gap: in lists, in the push log, in pushes.
import { readRequest } from '../../openapi/operations.ts';
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { parseExactly } from '../core/parse-json.ts';

/** Shorter texts may stand anywhere by chance. */
const shortest = 8;

/** Makes a remark for each place where a signing secret of the run was seen. Secrets are recognized by their value. */
export function remarkOnShownSecrets(context: Context): void {
  const created = creationsWithSecret(context);
  const secrets = [...new Set(created.map(({ secret }) => secret))];
  const forms = [...new Set(secrets.flatMap(formsOf))];
  const places = new Set<string>();
  for (const { request, response, operation } of context.exchanges) {
    if (!holdsAny(response.text, forms)) continue;
    const found = secrets.filter((secret) => holdsAny(response.text, formsOf(secret)));
    const isOwn = (secret: string) =>
      operation === 'createSubscription' && holdsAny(request.body ?? '', formsOf(secret));
    if (found.some((secret) => !isOwn(secret))) places.add(`an answer of ${operation}`);
  }
  for (const { path } of created)
    for (const push of context.receiver?.pushesTo(path) ?? [])
      if (holdsAny(`${push.body} ${JSON.stringify(push.headers)}`, forms)) places.add('a push');
  for (const place of places) context.remarks.add('signing-secret-shown', `in ${place}`);
}

function holdsAny(text: string, forms: readonly string[]): boolean {
  return forms.some((form) => text.includes(form));
}

/** As it is, and as it stands in a JSON text. */
function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1)];
}

function creationsWithSecret({ exchanges, operations }: Context): { secret: string; path: string }[] {
  const operation = operations.get('createSubscription');
  if (!operation) return [];
  const read = ({ request }: Exchange) => readRequest(operation, parseExactly(request.body ?? ''));
  return exchanges
    .filter((exchange) => exchange.operation === 'createSubscription' && succeeded(exchange))
    .map(read)
    .flatMap(({ secret, url }) =>
      typeof secret === 'string' && secret.length >= shortest ? [{ secret, path: pathAt(url) }] : [],
    );
}

/** The path at the suite's receiver. */
function pathAt(url: unknown): string {
  return /\/sitepub\/[^?#]*/.exec(String(url))?.[0] ?? '';
}
