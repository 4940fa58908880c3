// Worlds by name. They are made at the root, whose own world is "main".
import { type ControlledMock, keeperOf } from '../controlled-mock.ts';
import type { Answer, Input } from './call.ts';

/** Also those that a store has, and this process has not in memory. */
export async function listWorlds(
  mock: ControlledMock,
  { query }: Input<'listWorlds'>,
): Promise<Answer<'listWorlds'>> {
  return keeperOf(mock).listAll(query);
}

/** What is left out is as the mock was started. */
export async function createWorld(
  mock: ControlledMock,
  { body }: Input<'createWorld'>,
): Promise<Answer<'createWorld'>> {
  return keeperOf(mock).create(body);
}

export async function endWorld(
  mock: ControlledMock,
  { path: { name } }: Input<'endWorld'>,
): Promise<Answer<'endWorld'>> {
  await keeperOf(mock).end(name);
  return { ended: name };
}
