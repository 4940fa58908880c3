// Finds names, keys and ids that a world seed uses twice.
import type { SiteSeed, WorldSeed } from '../world/world-seed.ts';
import { formatPath, type Mistake, type Path } from './seed-path.ts';

interface Use {
  kind: string;
  value: string | number | undefined;
  path: Path;
}

export function findDuplicates(seed: WorldSeed): Mistake[] {
  const firstUses = new Map<string, Path>();
  return usesIn(seed).flatMap(({ kind, value, path }) => {
    if (value === undefined) return [];
    const use = `${kind} ${value}`;
    const first = firstUses.get(use);
    if (first)
      return [{ path, text: `this ${kind} is already used at ${formatPath(first)}; use each only once` }];
    firstUses.set(use, path);
    return [];
  });
}

function usesIn({ tenants }: WorldSeed): Use[] {
  return each(tenants, ['tenants'], (tenant, path) => [
    { kind: 'name of a tenant', value: tenant.name, path: [...path, 'name'] },
    ...each(tenant.users, [...path, 'users'], ({ username }, at) => [
      { kind: 'username', value: username, path: [...at, 'username'] },
    ]),
    ...each(tenant.api_keys, [...path, 'api_keys'], ({ key }, at) => [
      { kind: 'API key', value: key, path: [...at, 'key'] },
    ]),
    ...each(tenant.sites, [...path, 'sites'], usesInSite),
  ]);
}

function usesInSite({ id, contents, submissions, comments }: SiteSeed, path: Path): Use[] {
  const idsOf = (kind: string) => (entry: { id?: number }, at: Path) => [
    { kind, value: entry.id, path: [...at, 'id'] },
  ];
  return [
    { kind: 'id of a site', value: id, path: [...path, 'id'] },
    ...each(contents, [...path, 'contents'], idsOf('id of a content')),
    ...each(submissions, [...path, 'submissions'], idsOf('id of a submission')),
    ...each(comments, [...path, 'comments'], idsOf('id of a comment')),
  ];
}

function each<Entry>(
  entries: readonly Entry[] | undefined,
  path: Path,
  usesOf: (entry: Entry, path: Path) => Use[],
): Use[] {
  return (entries ?? []).flatMap((entry, index) => usesOf(entry, [...path, index]));
}
