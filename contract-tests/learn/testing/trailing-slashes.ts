// The profile of a deployment whose own paths end in slashes, as Django's do by default.
import { isObject } from '../../../openapi/json.ts';
import { makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import { splitPath } from '../../../openapi/stated-call.ts';

/** The documented paths stay as they are documented. */
export function withTrailingSlashes(profile: Profile): Profile {
  return mapPaths(profile, (path) => (path.endsWith('/') ? path : `${path}/`));
}

/** The same deployment with other paths, queries left out. */
export function mapPaths(profile: Profile, change: (path: string) => string): Profile {
  const values = Object.entries(statedValues(profile)).map(([id, value]) => {
    if (!isObject(value) || typeof value.path !== 'string') return [id, value];
    const { path, query } = splitPath(value.path);
    return [id, { ...value, path: change(path) + (query === '' ? '' : `?${query}`) }];
  });
  return makeProfile(Object.fromEntries(values), { name: profile.name, source: profile.name });
}
