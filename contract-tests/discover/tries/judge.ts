// Confirms or revokes a learnt operation by the answer to its call.
import type { OperationId } from '../../../openapi/operations.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { deletions } from '../../deployment/created-resources.ts';
import { learntLine, takeBack } from '../../learn/learnt-findings.ts';
import { type CallResult, noteCalled } from '../ask/operations.ts';
import type { Probe } from '../probe.ts';

/** Values that later calls and checks need. */
const essential = ['id', 'version', 'key', 'list'] as const;

/** The path, the method or the request is wrong. */
const wrongStatuses: readonly number[] = [400, 404, 405, 410, 415, 422, 501];

/** A site may lack the form or accept no comments. */
const mayBeMissing: readonly OperationId[] = ['submitForm', 'createComment'];

/** Adds the answer to the evidence, or revokes the operation. Ignores given operations. */
export function judgeTry(probe: Probe, id: OperationId, answer: CallResult | undefined): undefined {
  const learnt = learntLine(probe, probe.seen.operations.get(id)?.gap);
  if (!learnt) return;
  const { gap, value, evidence } = learnt;
  // A call counts even if its answer was lost.
  noteCalled(probe, gap.id, false);
  const wrong = answer && explainWrong(value, { id, answer });
  if (wrong !== undefined) return takeBack(probe.findings, learnt, `called: ${wrong}`);
  probe.findings.found(gap.id, withStatus(value, answer), `${describe(id, answer)}; ${evidence}`);
}

/** Undefined if nothing contradicts the operation. A deletion must succeed. */
function explainWrong(
  value: Readonly<Record<string, unknown>>,
  { id, answer }: { id: OperationId; answer: CallResult },
): string | undefined {
  const { exchange, values, isOfOthers, isUnproven, isStillThere } = answer;
  if (isStillThere) return `the deleted resource can still be read: ${describeAnswer(exchange)}`;
  if (isOfOthers) return `the answer names a resource that existed before: ${describeAnswer(exchange)}`;
  // The site of an import may not exist yet.
  if (isUnproven && id !== 'importSite')
    return `no proof that the answer names the created resource: ${describeAnswer(exchange)}`;
  if (succeeded(answer.exchange)) {
    const isMissing = (name: string) => value[name] !== undefined && values[name] === undefined;
    const missing = isUnproven ? undefined : essential.find(isMissing);
    return missing && `the answer has no value at ${value[missing]}: ${describeAnswer(exchange)}`;
  }
  const { status } = exchange.response;
  const isMissing = status === 404 && mayBeMissing.includes(id);
  const isWrong = deletions[id] !== undefined || (wrongStatuses.includes(status) && !isMissing);
  return isWrong ? `answered ${describeAnswer(exchange)}` : undefined;
}

function describe(id: OperationId, answer: CallResult | undefined): string {
  if (!answer) return 'called, no usable answer';
  const { status } = answer.exchange.response;
  if (!succeeded(answer.exchange)) return `called, refused with ${status}, possibly for another reason`;
  const isUnseen = deletions[id] && answer.isStillThere === undefined;
  return `called, answered ${status}${isUnseen ? '; no proof that it deleted anything' : ''}`;
}

function withStatus(value: Record<string, unknown>, answer: CallResult | undefined): Record<string, unknown> {
  if (!answer || !succeeded(answer.exchange)) return value;
  const { status } = answer.exchange.response;
  return status === (value.status ?? 200) || status > 299 ? value : { ...value, status };
}
