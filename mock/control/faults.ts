// Named deviations from the interface document. There are none yet.
import type { Context } from './context.ts';
import { ControlError } from './control-error.ts';
import { unknownName } from './explain.ts';
import type { FaultChoice, FaultsView } from './views.ts';

export function faultControl({ check }: Context) {
  const faults = (): FaultsView => ({ faults: [], on: [] });

  return {
    faults,
    /** Turns on those that are named, by their ids or as the call has them, and all others off. */
    setFaults(choice: readonly string[] | FaultChoice): FaultsView {
      const chosen = isList(choice) ? { on: choice } : choice;
      check('setFaults', chosen);
      const known = faults().faults.map(({ id }) => id);
      const stranger = chosen.on.find((id) => !known.includes(id));
      if (stranger === undefined) return faults();
      throw new ControlError(400, `PUT /_mock/faults: there is no fault ${unknownName(stranger, known)}`);
    },
  };
}

function isList(choice: readonly string[] | FaultChoice): choice is readonly string[] {
  return Array.isArray(choice);
}
