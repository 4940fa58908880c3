// What frameworks call parameters in paths.
import type { Random } from '../../../openapi/random-profile.ts';
import type { Rename } from './deployment-operations.ts';
import { camel, snake } from './naming.ts';

/** "siteId", "webhookId". */
export const camelIds: Rename = (placeholder) => camel(nounOf(placeholder));

/** "site_id", "webhook_id". */
export const snakeIds: Rename = (placeholder) => snake(nounOf(placeholder));

/** "id" for the last one, "siteId" before it. */
export const lastIsId: Rename = (placeholder, isLast) =>
  isLast && /ID$/.test(placeholder) ? 'id' : camelIds(placeholder, isLast);

/** "id" for the last one, "site_pk" before it. */
export const primaryKeys: Rename = (placeholder, isLast) => {
  if (isLast && /ID$/.test(placeholder)) return 'id';
  return snakeIds(placeholder, isLast).replace(/_id$/, '_pk');
};

export function pickRename(random: Random, renames: readonly Rename[]): Rename {
  return random.pick(renames);
}

/** Developers speak of a webhook's subscription as the webhook. */
function nounOf(placeholder: string): string {
  return placeholder === 'subscriptionID' ? 'webhookID' : placeholder;
}
