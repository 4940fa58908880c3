// Faults: named deviations from the interface document.

import { explainUnknownFault, loadFaults } from '../faults/fault-switch.ts';
import { checkBody } from './check-body.ts';
import { ControlError } from './control-error.ts';
import type { FaultChoice, FaultsView } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';

interface FaultControl {
  faults(): Promise<FaultsView>;
  /** Turns these on, given as ids or as in the HTTP call, and all others off. */
  setFaults(choice: readonly string[] | FaultChoice): Promise<FaultsView>;
}

export function faultControl(mock: ControlledMock): FaultControl {
  return {
    faults: () => showFaults(mock),
    async setFaults(choice) {
      const chosen = isList(choice) ? { on: choice } : choice;
      checkBody('setFaults', chosen);
      const unknown = await explainUnknownFault(chosen.on);
      if (unknown !== undefined) throw new ControlError(400, `PUT /_mock/faults: ${unknown}`);
      await mock.faults.set(chosen.on);
      return showFaults(mock);
    },
  };
}

async function showFaults({ faults }: ControlledMock): Promise<FaultsView> {
  const table = await loadFaults();
  return {
    faults: table.map(({ id, title, requirement }) => ({ id, title, requirement })),
    on: faults.on(),
  };
}

function isList(choice: readonly string[] | FaultChoice): choice is readonly string[] {
  return Array.isArray(choice);
}
