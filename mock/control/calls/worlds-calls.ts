// Worlds by name. They are made at the root, whose own world is "main".
import type { WaitingCall } from '../controlled-mock.ts';
import { keeperOf } from '../named.ts';

/** Also those that a store has, and this process has not in memory. */
export const listWorlds: WaitingCall<'listWorlds'> = async (mock, { query }) => keeperOf(mock).listAll(query);

/** What is left out is as the mock was started. */
export const createWorld: WaitingCall<'createWorld'> = async (mock, { body }) => keeperOf(mock).create(body);

export const endWorld: WaitingCall<'endWorld'> = async (mock, { path: { name } }) => {
  await keeperOf(mock).end(name);
  return { ended: name };
};
