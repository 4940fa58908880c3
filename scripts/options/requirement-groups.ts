/** "HOOK" of "HOOK-4". */
export function groupOf(id: string): string {
  return id.replace(/-\d+$/, '');
}

/** The groups of requirements, each once. */
export function groupsOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map(groupOf))];
}
