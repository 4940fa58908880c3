/** Why the mock can't be started, and what to do. */
export class MockError extends Error {}
