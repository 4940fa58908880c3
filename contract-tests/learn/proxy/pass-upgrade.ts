import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { answerHeaders, type PassedHeaders, requestHeaders } from './pass-headers.ts';
import { openOnward, sayLoss, sidesOf } from './pass-request.ts';
import type { Passage } from './passage.ts';

interface Upgrade {
  incoming: IncomingMessage;
  socket: Socket;
  head: Buffer;
}

/** Passes a WebSocket through, unread. */
export function passUpgrade({ incoming, socket, head }: Upgrade, passage: Passage): void {
  const sides = sidesOf(incoming, passage);
  const upgrade = { Connection: 'Upgrade', Upgrade: incoming.headers.upgrade ?? 'websocket' };
  const onward = openOnward(incoming, passage, { ...requestHeaders(incoming, sides), ...upgrade });
  socket.on('error', () => onward.destroy());
  socket.on('close', () => onward.destroy());
  onward.on('error', (error) => {
    const sentence = sayLoss(passage.target, error);
    passage.onProblem(sentence);
    socket.end(`HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n${sentence}\n`);
  });
  onward.on('response', (answer) => {
    socket.write(headOf(answer, { ...answerHeaders(answer, sides), Connection: 'close' }));
    // Also where the answer is cut off.
    pipeline(answer, socket, () => socket.destroy());
  });
  onward.on('upgrade', (answer, far, farHead) => {
    const agreed = { Connection: 'Upgrade', Upgrade: answer.headers.upgrade ?? 'websocket' };
    socket.write(headOf(answer, { ...answerHeaders(answer, sides), ...agreed }));
    socket.write(farHead);
    far.write(head);
    far.on('error', () => socket.destroy());
    socket.on('error', () => far.destroy());
    far.on('close', () => socket.destroy());
    socket.on('close', () => far.destroy());
    far.pipe(socket);
    socket.pipe(far);
  });
  onward.end();
}

function headOf({ statusCode, statusMessage }: IncomingMessage, headers: PassedHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  );
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`;
}
