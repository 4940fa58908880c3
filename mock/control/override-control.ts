// Answers that are forced in advance.

import type { OperationId } from '../../openapi/operations.ts';
import type { Override } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { checkBody } from './check-body.ts';
import { checkOperation } from './check-operation.ts';
import { ControlError } from './control-error.ts';
import type { OverridesView, OverrideView } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';

const mostOverrides = 1000;

export function overrideControl(mock: ControlledMock) {
  /** Forces the next answers of an operation. */
  function override(wanted: OverrideView): OverridesView {
    checkBody('addOverride', wanted);
    const { delay_ms: delayMs, ...others } = wanted;
    checkOperation(mock, others.operation);
    checkAnswer(wanted);
    const { world } = mock;

    if (world.overrides.size >= mostOverrides)
      throw new ControlError(
        409,
        `POST /_mock/overrides: ${mostOverrides} are waiting already; DELETE /_mock/overrides`,
      );
    const last = [...world.overrides.keys()].at(-1) ?? 0;
    world.overrides.set(last + 1, { ...others, ...(delayMs !== undefined && { delayMs }) });
    return showOverrides(world);
  }

  function clearOverrides(operation?: OperationId): OverridesView {
    if (operation !== undefined) checkOperation(mock, operation);
    const { world } = mock;

    for (const [key, override] of world.overrides)
      if (operation === undefined || override.operation === operation) world.overrides.delete(key);
    return showOverrides(world);
  }

  return { overrides: () => showOverrides(mock.world), override, clearOverrides };
}

function checkAnswer({ status, code, body, delay_ms: delayMs }: OverrideView): void {
  if (code !== undefined && body !== undefined)
    throw new ControlError(
      400,
      'POST /_mock/overrides: "code" and "body" exclude each other; a body of your own has the code in it',
    );
  if (body !== undefined && status !== undefined && [204, 205, 304].includes(status))
    throw new ControlError(400, `POST /_mock/overrides: an answer of status ${status} has no body`);
  if ([status, code, body, delayMs].some((one) => one !== undefined)) return;
  throw new ControlError(
    400,
    'POST /_mock/overrides: say what to answer: "status", "code", "body" or "delay_ms"',
  );
}

function showOverrides({ overrides }: World): OverridesView {
  return { overrides: [...overrides.values()].map(showOverride) };
}

function showOverride({ operation, delayMs, ...shown }: Override): OverrideView {
  // Checked when it was added; only a restored world may hold one that the profile does not offer.
  return {
    operation: operation as OperationId,
    ...shown,
    ...(delayMs !== undefined && { delay_ms: delayMs }),
  };
}
