// A receiver of pushes on node:http. Its argument is the status that it answers.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../listen.ts';
import { readArgument, serve } from '../serve.ts';

export interface Received {
  count: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const status = Number(readArgument());
let received: Received = { count: 0, headers: {}, body: '' };

const server = createServer(async (request, response) => {
  const body = (await buffer(request)).toString();
  received = { count: received.count + 1, headers: request.headers, body };
  response.writeHead(status, { 'content-type': 'application/json' }).end('{"ok":true}');
});
serve(
  { origin: await listen(server) },
  {
    /** The number of pushes since the last question, and the headers and body of the latest. */
    received() {
      const answer = received;
      received = { ...received, count: 0 };
      return answer;
    },
  },
);
