import { formatPointer } from '../../openapi/json-pointer.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { SecretPlaces } from './redact-request.ts';

/** Where bodies of the deployment have tokens, keys and signing secrets. */
export function secretPlacesOf({ values }: Profile): SecretPlaces {
  const createKey = values['operation.create-key'];
  return {
    names: [values['subscription.request.secret']],
    pointers: [
      values['login.token'],
      values['refresh.token'],
      values['subscription.response.secret'],
      ...(typeof createKey === 'object' ? [String(createKey.key ?? '/data/key')] : []),
      ...placesOf('{token}', values['refresh.request'], []),
    ].filter((pointer) => pointer !== 'absent'),
  };
}

/** JSON Pointers of a placeholder in a template. */
function placesOf(placeholder: string, template: unknown, at: readonly string[]): string[] {
  if (typeof template === 'string') return template.includes(placeholder) ? [formatPointer(at)] : [];
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([name, part]) => placesOf(placeholder, part, [...at, name]));
}
