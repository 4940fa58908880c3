// The thread of a run: it tells what happens as it happens, and at last the result.
import { flushCompileCache } from 'node:module';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import { LeaveNeeded } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { planLeftBehind } from './plan-left-behind.ts';
import type { ThreadMessage } from './run-in-thread.ts';
import { runSuite } from './run-suite.ts';

const options = workerData as SuiteOptions;
const interruption = new AbortController();
const post = (message: ThreadMessage) => parentPort?.postMessage(message);
const fail = (error: unknown) => post({ problem: error instanceof Error ? error.message : String(error) });

parentPort?.once('message', () => interruption.abort());
// A run goes on after an error that nothing caught, so that it cleans up.
process.on('uncaughtException', fail);
// The control API of a mock may have the same authority as the deployment.
const { ca } = options.connection ?? {};
if (ca) setDefaultCACertificates([...getCACertificates(), ca.pem]);

try {
  const staying = planLeftBehind(options);
  const end = await runSuite(options, {
    signal: interruption.signal,
    onSelected: (selected) => post({ selected }),
    onBegun: () => post({ begun: staying }),
    onResult: (result) => post({ result }),
    onWait: (until, what) => post({ waiting: { until, what } }),
  });
  // The thread is ended before it could do so by itself.
  flushCompileCache();
  post({ end });
} catch (error) {
  if (error instanceof LeaveNeeded) post({ refused: error.message });
  else fail(error);
  post({ end: undefined });
}
