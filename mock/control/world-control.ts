// Worlds by name. They are made at the root, whose own world is "main".
import { checkBody } from './check-body.ts';
import { ControlError } from './control-error.ts';
import type { CreatedWorldView, PageRequest, WorldRequest, WorldsView } from './control-views.ts';
import type { ControlledMock, WorldKeeper } from './controlled-mock.ts';

interface WorldControl {
  /** Those that this process has in memory. */
  worlds(): WorldsView;
  /** A page of all, also of those that a store keeps. */
  allWorlds(page?: PageRequest): Promise<WorldsView>;
  /** Makes a world; what is left out is as the mock was started. */
  createWorld(request: WorldRequest): Promise<CreatedWorldView>;
  /** Ends a world at once. */
  endWorld(name: string): Promise<{ ended: string }>;
}

export function worldControl(mock: ControlledMock): WorldControl {
  function keeper(): WorldKeeper {
    if (mock.keeper) return mock.keeper;
    throw new ControlError(
      409,
      'this is the control API of one world; call /_mock/worlds at the root of the mock, without /w/NAME and X-Sitepub-World',
    );
  }

  return {
    worlds: () => keeper().list(),
    allWorlds: async (page = {}) => keeper().listAll(page),

    async createWorld(request) {
      const { create } = keeper();
      checkBody('createWorld', request);
      return create(request);
    },

    async endWorld(name) {
      await keeper().end(name);
      return { ended: name };
    },
  };
}
