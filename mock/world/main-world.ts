/** The name of the world at the root. */
export const mainWorld = 'main';
