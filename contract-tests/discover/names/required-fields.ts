/** What every creation of a subscription needs. */
export type RequiredField = 'url' | 'events' | 'channel';

/** The names of these fields in a request. */
export type Names = Record<RequiredField, string>;

export const fields: readonly RequiredField[] = ['url', 'events', 'channel'];
