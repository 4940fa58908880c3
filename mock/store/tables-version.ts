/** The version of the tables that this sitepub makes, and the only one that it uses. */
export const tablesVersion = 1;

/** Why this sitepub can't use tables of a version, and what to do; undefined: it can. */
export function explainVersion(version: number, place: string): string | undefined {
  if (version === tablesVersion) return undefined;
  if (version === 0)
    return `store ${place}: it has no tables; run \`sitepub store migrate\`, or start a mock without \`--store-migrate never\``;
  return `store ${place}: its tables are of version ${version}, and this sitepub uses version ${tablesVersion}; use the one that made them, or name another store`;
}
