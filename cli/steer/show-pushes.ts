// Deliveries and their attempts, in lines.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { type Paint, painter, pushLine, shown, stateOf, timeOfDay } from '../output/note-lines.ts';

/** Colours where standard output takes them. */
export function paintOutput(): Paint {
  return painter(process.stdout);
}

/** A delivery by its latest attempt. */
export function deliveryLine(delivery: Schemas['Delivery'], paint: Paint): string {
  const { attempts, id, event, url, created_at: at } = delivery;
  const last = attempts.at(-1);
  if (last) return pushLine({ ...delivery, ...last, delivery_id: id }, paint);
  const parts = [paint('dim', timeOfDay(at)), `push ${id} ${shown(event)}`, shown(url)];
  return [...parts, stateOf({ ...delivery, at })].join('  ');
}
