/** The names and indexes that lead to a place in a world seed. */
export type Path = readonly (string | number)[];

/** Formats a path as in code: tenants[0].sites[1].version. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${step}`))
    .join('');
}

export interface Mistake {
  path: Path;
  /** The member at that place that should not be there. */
  member?: string;
  text: string;
}
