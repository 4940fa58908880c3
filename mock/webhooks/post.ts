// One POST by undici, with as much of its answer as the log keeps. Its `request` makes a stream of each answer, which costs more than the rest.
import type { Agent, Dispatcher } from 'undici';

export interface Post {
  origin: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface PostAnswer {
  status: number;
  /** The header `location`, if there is one. */
  location: string | undefined;
  /** Its beginning. */
  body: string;
}

/** The end of a request before its time. */
export interface Ending {
  isAborted: boolean;
  /** Ends what is under way. */
  abort: () => void;
}

const maxAnswerBytes = 16_384;

/** Rejects where no whole answer comes, and as soon as `ending` is aborted. */
export function post(
  agent: Agent,
  { origin, path, headers, body }: Post,
  ending: Ending,
): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let [status, location]: [number, unknown] = [0, undefined];
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () =>
      resolve({
        status,
        location: typeof location === 'string' ? location : undefined,
        body: Buffer.concat(chunks).toString('utf8', 0, maxAnswerBytes),
      });
    ending.abort = () => {
      reject(aborted);
      controller?.abort(aborted);
    };
    const options = { origin, path, method: 'POST', headers, body } as const;
    agent.dispatch(options, {
      onRequestStart(started) {
        controller = started;
        if (ending.isAborted) started.abort(aborted);
      },
      onResponseStart(_controller, statusCode, received) {
        // That of the answer itself comes last.
        [status, location] = [statusCode, received.location];
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
        length += chunk.length;
        if (length < maxAnswerBytes) return;
        finish();
        // The rest of a longer one is not waited for.
        controller?.abort(aborted);
      },
      onResponseEnd: finish,
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

const aborted = new Error('the request was ended before its time');
