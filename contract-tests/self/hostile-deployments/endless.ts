// Deployments that keep a caller waiting, or that break off: most of them never get to an answer.
import { gzipSync } from 'node:zlib';
import {
  byAnswers,
  byBytes,
  type Deployment,
  flood,
  keepWriting,
  plentyOf,
  sendJson,
  success,
} from './serve.ts';

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
const megabyte = ' '.repeat(1_048_576);
/** Made where it is sent alone. */
const makeBomb = () => gzipSync(Buffer.alloc(128 * megabyte.length), { level: 9 });

export const endless: readonly Deployment[] = [
  byBytes('silent', 'takes a request and says nothing', () => {}),
  byBytes('unread', 'reads nothing of a request', (socket) => socket.pause()),
  byBytes('closed', 'closes each connection', (socket) => socket.destroy()),
  byBytes('reset', 'resets each connection', (socket) => socket.resetAndDestroy()),
  byBytes('dripped-status', 'writes its status line a byte at a time', (socket) => dripText(socket, head)),
  byBytes('dripped-headers', 'writes a header each second, for ever', (socket) => {
    socket.write(head);
    keepWriting(socket, 'X-A: b\r\n', 1_000);
  }),
  byBytes('dripped-body', 'writes a byte of its body each second, for ever', (socket) => {
    socket.write(chunked);
    keepWriting(socket, '1\r\n \r\n', 1_000);
  }),
  byBytes('continue-for-ever', 'sends 100 Continue again and again', (socket) =>
    keepWriting(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 10),
  ),
  byBytes('continue-flood', 'sends 100 Continue as fast as it is read', (socket) =>
    flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)),
  ),
  byBytes('hints-for-ever', 'sends 103 Early Hints again and again', (socket) =>
    keepWriting(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 10),
  ),
  byBytes('upgrade', 'answers 101, to another protocol', (socket) =>
    keepWriting(
      socket,
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      1_000,
    ),
  ),
  byBytes('bare-101', 'answers 101, to no protocol', (socket) =>
    keepWriting(socket, 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 1_000),
  ),
  byBytes('header-flood', 'sends headers as fast as they are read', (socket) => {
    socket.write(head);
    flood(socket, 'X-A: bbbbbbbbbbbbbbbb\r\n'.repeat(1_000));
  }),
  byBytes('body-flood', 'sends a body as fast as it is read, for ever', (socket) => {
    socket.write(chunked);
    flood(socket, `100000\r\n${megabyte}\r\n`);
  }),
  byBytes(
    'too-little',
    'sends less than its Content-Length says',
    (socket) => void socket.write(`${head}Content-Length: 1000\r\n\r\n{"code":0`),
  ),
  byBytes(
    'too-much',
    'sends more than its Content-Length says',
    (socket) => void socket.write(`${head}Content-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\n{"code":0}`),
  ),
  byBytes(
    'cut-off',
    'ends the connection in the middle of a body',
    (socket) => void socket.end(`${head}Content-Length: 1000\r\n\r\n{"code":0`),
  ),
  byBytes('reset-in-body', 'resets the connection in the middle of a body', (socket) => {
    socket.write(`${head}Content-Length: 1000\r\n\r\n{"code":0`);
    setTimeout(() => socket.resetAndDestroy(), 20);
  }),
  byBytes(
    'http-0.9',
    'answers as HTTP/0.9 did, without a head',
    (socket) => void socket.end('<html>hello</html>\r\n'),
  ),
  byBytes('no-http', 'answers with bytes that are no HTTP', (socket) =>
    keepWriting(socket, Buffer.from([0, 255, 13, 10, 128]), 50),
  ),
  byBytes('silent-tls', 'takes a TLS handshake and says nothing', () => {}, 'https'),
  byBytes(
    'garbled-tls',
    'answers a TLS handshake with bytes that are none',
    (socket) => flood(socket, megabyte),
    'https',
  ),
  byAnswers(
    'gzip-bomb',
    'sends 128 MB in 128 KB of gzip',
    (_asked, response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(makeBomb()),
  ),
  byAnswers('one-answer', 'answers the login, and nothing after it', (asked, response) => {
    if (/login/.test(asked.path)) sendJson(response, success(plentyOf(asked)));
  }),
  byAnswers('sessions-only', 'answers the login and its renewal, and nothing else', (asked, response) => {
    if (/login|refresh/.test(asked.path)) sendJson(response, success(plentyOf(asked)));
  }),
  byAnswers('every-other', 'loses every other answer', (asked, response) => {
    if (asked.count % 2 === 0) sendJson(response, success(plentyOf(asked)));
  }),
  byAnswers('no-subscriptions', 'loses each answer about subscriptions', (asked, response) => {
    if (!/webhooks/.test(asked.path)) sendJson(response, success(plentyOf(asked)));
  }),
];

function dripText(socket: Parameters<typeof keepWriting>[0], text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.writable && socket.write(text[at++ % text.length] ?? ''), 500);
  socket.on('close', () => clearInterval(timer));
}
