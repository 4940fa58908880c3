// The thread of a run. It posts events as they happen, and the result at the end.
import { flushCompileCache } from 'node:module';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import { LeaveBehindNeeded } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { planLeftBehind } from './print-dry-run.ts';
import type { ThreadMessage } from './run-in-thread.ts';
import { runSuite } from './run-suite.ts';

const options = workerData as SuiteOptions;
const interruption = new AbortController();
const post = (message: ThreadMessage) => parentPort?.postMessage(message);
const fail = (error: unknown) => post({ problem: error instanceof Error ? error.message : String(error) });

parentPort?.once('message', () => interruption.abort());
// The run continues after an uncaught error, so that it cleans up.
process.on('uncaughtException', fail);
// The control API of a mock may use the same certificate authority as the deployment.
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
  // The parent terminates the thread before Node would flush the cache.
  flushCompileCache();
  post({ end });
} catch (error) {
  if (error instanceof LeaveBehindNeeded) post({ refused: error.message });
  else fail(error);
  post({ end: undefined });
}
