// What the answer to an operation says of the line that was learnt.
import type { OperationId } from '../../../openapi/operations.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { deletions } from '../../deployment/created-resources.ts';
import { learntLine, takeBack } from '../../learn/learnt-findings.ts';
import { type CallResult, noteCalled } from '../ask/operations.ts';
import type { Probe } from '../probe.ts';

/** What later calls and checks can't do without. */
const essential = ['id', 'version', 'key', 'list'] as const;

/** No such path or method, or another request than it takes. */
const wrongStatuses: readonly number[] = [400, 404, 405, 410, 415, 422, 501];

/** A site may have no such form, and take no comments. */
const mayBeMissing: readonly OperationId[] = ['submitForm', 'createComment'];

/** Adds the answer to the evidence, or takes the line back, to be looked at by people. What was given is not judged. No answer at all says nothing. */
export function judgeTry(probe: Probe, id: OperationId, answer: CallResult | undefined): undefined {
  const learnt = learntLine(probe, probe.seen.operations.get(id)?.gap);
  if (!learnt) return;
  const { gap, value, evidence } = learnt;
  // A call whose answer was lost was made as well.
  noteCalled(probe, gap.id, false);
  const wrong = answer && explainWrong(value, { id, answer });
  if (wrong !== undefined) return takeBack(probe.findings, learnt, `it was called, and ${wrong}`);
  probe.findings.found(gap.id, withStatus(value, answer), `${describe(id, answer)}; ${evidence}`);
}

/** What speaks against the line; undefined where nothing does. A deletion has to succeed. */
function explainWrong(
  value: Readonly<Record<string, unknown>>,
  { id, answer }: { id: OperationId; answer: CallResult },
): string | undefined {
  const { exchange, values, isOfOthers, isUnproven, isStillThere } = answer;
  if (isStillThere) return `what it deletes can still be read: ${describeAnswer(exchange)}`;
  if (isOfOthers) return `what its answer names was there before: ${describeAnswer(exchange)}`;
  // An import takes its time, and its site may not be there yet.
  if (isUnproven && id !== 'importSite')
    return `nothing shows that what its answer names is what it creates: ${describeAnswer(exchange)}`;
  if (succeeded(answer.exchange)) {
    const isMissing = (name: string) => value[name] !== undefined && values[name] === undefined;
    const missing = isUnproven ? undefined : essential.find(isMissing);
    return missing && `there is nothing at ${value[missing]}: ${describeAnswer(exchange)}`;
  }
  const { status } = exchange.response;
  const isMissing = status === 404 && mayBeMissing.includes(id);
  const isWrong = deletions[id] !== undefined || (wrongStatuses.includes(status) && !isMissing);
  return isWrong ? `answered ${describeAnswer(exchange)}` : undefined;
}

function describe(id: OperationId, answer: CallResult | undefined): string {
  if (!answer) return 'called, and no answer said anything of it';
  const { status } = answer.exchange.response;
  if (!succeeded(answer.exchange)) return `called, and refused with ${status}, which may be no fault of it`;
  const isUnseen = deletions[id] && answer.isStillThere === undefined;
  return `called, and answered ${status}${isUnseen ? '; nothing shows whether it deleted anything' : ''}`;
}

function withStatus(value: Record<string, unknown>, answer: CallResult | undefined): Record<string, unknown> {
  if (!answer || !succeeded(answer.exchange)) return value;
  const { status } = answer.exchange.response;
  return status === (value.status ?? 200) || status > 299 ? value : { ...value, status };
}
