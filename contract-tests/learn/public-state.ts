/** Whether a value of a state says that what has it is public. */
export function isPublicState(value: unknown): boolean {
  return typeof value === 'string' && /^(live|published?|online|public|released|已发布)$/i.test(value);
}
