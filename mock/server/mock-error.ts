/** Why the mock can't be started, and what to do. */
export class MockError extends Error {}

/** The store can't be reached; it may be soon. */
export class StoreUnreachable extends MockError {}
