// Records the console on its way to the deployment, and says what was learnt while somebody clicks.
import { Unreachable } from '../../contract-tests/core/outcomes.ts';
import { createClient } from '../../contract-tests/deployment/http-client.ts';
import type { DescribedOperation } from '../../contract-tests/learn/described-operation.ts';
import { LearnError } from '../../contract-tests/learn/learn-error.ts';
import { type LearntOperation, learnOperations } from '../../contract-tests/learn/learn-operations.ts';
import { clickHints } from '../../contract-tests/learn/proxy/click-hints.ts';
import { createLiveRecording } from '../../contract-tests/learn/proxy/live-recording.ts';
import { startRecordingProxy } from '../../contract-tests/learn/proxy/recording-proxy.ts';
import type { LearntRecording } from '../../contract-tests/learn/recording/learn-recording.ts';
import {
  type RecordedExchange,
  RecordingError,
} from '../../contract-tests/learn/recording/recorded-exchange.ts';
import { visible, visibleLines } from '../../openapi/visible-text.ts';
import type { ProxyOptions } from '../options/learn-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { interruption } from '../screen/interruption.ts';

interface Known {
  /** What a profile states already. */
  given: Readonly<Record<string, unknown>>;
  described: readonly DescribedOperation[];
  /** What was recorded before, and the operations that it shows. */
  earlier: readonly RecordedExchange[];
  others: readonly RecordedExchange[];
  recorded: readonly DescribedOperation[];
}

/** Records until Ctrl-C. Throws UsageError where it can't listen, and LearnError where the deployment can't be reached. */
export async function learnByProxy(options: ProxyOptions, known: Known): Promise<LearntRecording> {
  const { baseUrl } = options;
  await requireReachable(options);
  const { earlier, others } = known;
  const { tell, hints } = createTelling(known);
  const live = createLiveRecording({
    ...{ baseUrl, earlier, others },
    onLearnt: ({ operations }) => tell(operations),
  });
  const say = sayOnce();
  const ended = interruption();
  const proxy = await start({ ...options, onExchange: live.add, onOther: live.hear, onProblem: say });
  const lines = [
    `open ${proxy.origin}, which leads to ${new URL(baseUrl).origin}, log in, and click; Ctrl-C ends it and writes the profile`,
    ...(proxy.warning === undefined ? [] : [`warning: ${proxy.warning}`]),
    'to click:',
    ...hints().map((hint) => `  ${hint}`),
  ];
  console.error(visibleLines(lines.join('\n')));
  await ended;
  live.stop();
  await proxy.close();
  const learnt = live.learnt() ?? { baseUrl, operations: [], notes: [live.problem() ?? 'nothing passed'] };
  const full = live.isFull() ? ['more calls passed than are kept; the last ones were given up'] : [];
  return { ...learnt, notes: [...learnt.notes, ...full].map((note) => `proxy: ${note}`) };
}

/** Said before anybody opens the proxy: whether anything answers there. */
async function requireReachable({ baseUrl, connection, requestTimeoutMs }: ProxyOptions): Promise<void> {
  const target = { baseUrl, ...(connection && { connection }) };
  try {
    const send = createClient(target, requestTimeoutMs);
    await send({ method: 'GET', url: baseUrl, headers: { ...connection?.headers }, body: undefined });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    throw new LearnError(`--base-url can't be reached: ${error.message}`, 'unreachable');
  }
}

async function start(options: Parameters<typeof startRecordingProxy>[0]) {
  try {
    return await startRecordingProxy(options);
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(`--proxy: ${error.message}`);
    throw error;
  }
}

/** A page asks for many things that all fail alike. */
function sayOnce() {
  let last: string | undefined;
  return (problem: string) => {
    if (problem !== last) console.error(visible(problem));
    last = problem;
  };
}

/** So many of the things to click are said each time. */
const next = 3;

function createTelling({ given, described, recorded }: Known) {
  const told = new Map<string, string>();
  const learn = (seen: readonly DescribedOperation[]) =>
    learnOperations([...described, ...seen], { given }).operations;
  const open = (operations: readonly LearntOperation[]) =>
    clickHints(operations.filter(({ isCertain }) => !isCertain).map(({ gap }) => gap.id));
  for (const one of learn(recorded)) told.set(one.gap.id, sayLearnt(one));
  return {
    hints: () => open(learn(recorded)),
    tell: (seen: readonly DescribedOperation[]) => {
      const operations = learn(seen);
      const news = operations.filter((one) => told.get(one.gap.id) !== sayLearnt(one));
      for (const one of news) {
        told.set(one.gap.id, sayLearnt(one));
        console.error(visible(sayLearnt(one)));
      }
      if (news.length > 0) console.error(sayOpen(open(operations)));
    },
  };
}

function sayLearnt({ gap, value, isCertain, doubts }: LearntOperation): string {
  const call = value && `${gap.id}${value.method === undefined ? '' : `, ${value.method} ${value.path}`}`;
  if (isCertain) return `learnt: ${call}`;
  return call === undefined ? `not seen: ${gap.id}` : `not certain: ${call}; ${doubts.join('; ')}`;
}

function sayOpen(hints: readonly string[]): string {
  if (hints.length === 0) return 'all operations are learnt; Ctrl-C writes the profile';
  const more = hints.length > next ? `; and ${hints.length - next} more` : '';
  return `still ${hints.length === 1 ? 'wants a click' : 'want a click'}: ${hints.slice(0, next).join('; ')}${more}`;
}
