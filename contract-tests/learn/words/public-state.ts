// How requests say that something is public: by the value of a state, or by a flag.

/** Whether a value of a state says that what has it is public. */
export function isPublicState(value: unknown): boolean {
  return typeof value === 'string' && /^(live|published?|online|public|released|已发布)$/i.test(value);
}

/** Whether a name is that of a flag which says so: "published", "is_online". */
export function isPublicFlag(name: string): boolean {
  return /^(is_?)?(published|online|live|public)$/i.test(name);
}
