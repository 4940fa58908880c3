// The gates from the ports of a mock to its worlds by name.
import type { Mock } from '../service.ts';
import { createGate, type Gate } from '../worlds/gate.ts';
import type { NamedWorld, NamedWorlds } from '../worlds/named-worlds.ts';

/** One for each port; the same port may serve both. */
export interface Gates {
  service: Gate;
  control: Gate;
}

export function createGates(
  worlds: Pick<NamedWorlds<never>, 'find' | 'load' | 'explainMissing'>,
  mock: () => Mock,
): Gates {
  const gateTo = (side: 'app' | 'controlApp') =>
    createGate({
      find: (name) => answererOf(worlds.find(name), side),
      load: worlds.load,
      explainMissing: worlds.explainMissing,
      mock,
    });
  return { service: gateTo('app'), control: gateTo('controlApp') };
}

/** What answers on a side of a world, and knows what is under way there. */
function answererOf(
  world: NamedWorld | undefined,
  side: 'app' | 'controlApp',
): ReturnType<Parameters<typeof createGate>[0]['find']> {
  if (!world) return undefined;
  const { responses, mock } = world;
  const { [side]: app } = mock;
  return (request, response) => {
    responses.add(response);
    response.on('close', () => responses.delete(response));
    if (side !== 'app' || !mock.direct?.(request, response)) app.routing(request, response);
  };
}
