import type { Session } from '../session.ts';
import type { Tool } from '../tool.ts';
import { explainRequirement } from './explain-requirement.ts';
import { registerTools } from './list-registers.ts';
import { runTools } from './make-runs.ts';
import { ownMockTools } from './own-mock.ts';
import { mockTools } from './read-mock.ts';
import { reportTools } from './read-reports.ts';
import { trafficTools } from './read-traffic.ts';
import { steeringTools } from './steer-mock.ts';

/** The tools that a session offers: those that change something only where it was told to. */
export function toolsOf(session: Session): Tool[] {
  const all = [
    ...registerTools,
    explainRequirement,
    ...mockTools,
    ...trafficTools,
    ...reportTools,
    ...runTools(session),
    ...steeringTools,
    ...ownMockTools,
  ];
  return all.filter(({ isReadOnly }) => isReadOnly || session.allowsChanges);
}
