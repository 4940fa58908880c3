// Deployments that never finish an answer or break the connection.
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
const makeBomb = () => gzipSync(Buffer.alloc(128 * megabyte.length), { level: 9 });

export const endless: readonly Deployment[] = [
  byBytes('silent', 'accepts a request and never answers', () => {}),
  byBytes('unread', 'reads nothing of a request', (socket) => socket.pause()),
  byBytes('reset', 'resets each connection', (socket) => socket.resetAndDestroy()),
  byBytes('dripped-headers', 'writes one header per second without end', (socket) => {
    socket.write(head);
    keepWriting(socket, 'X-A: b\r\n', 1_000);
  }),
  byBytes('dripped-body', 'writes one body byte per second without end', (socket) => {
    socket.write(chunked);
    keepWriting(socket, '1\r\n \r\n', 1_000);
  }),
  byBytes('continue-flood', 'floods the client with 100 Continue', (socket) =>
    flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)),
  ),
  byBytes('hints-for-ever', 'repeats 103 Early Hints', (socket) =>
    keepWriting(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 10),
  ),
  byBytes('body-flood', 'floods the client with an endless body', (socket) => {
    socket.write(chunked);
    flood(socket, `100000\r\n${megabyte}\r\n`);
  }),
  byBytes(
    'too-much',
    'sends more than its Content-Length says',
    (socket) => void socket.write(`${head}Content-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\n{"code":0}`),
  ),
  byBytes('no-http', 'answers with bytes that are not HTTP', (socket) =>
    keepWriting(socket, Buffer.from([0, 255, 13, 10, 128]), 50),
  ),
  byBytes('silent-tls', 'accepts a TLS handshake and never answers', () => {}, 'https'),
  byBytes(
    'garbled-tls',
    'answers a TLS handshake with other bytes',
    (socket) => flood(socket, megabyte),
    'https',
  ),
  byAnswers(
    'gzip-bomb',
    'sends 128 MB in 128 KB of gzip',
    (_asked, response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(makeBomb()),
  ),
  byAnswers('one-answer', 'answers only the login', (asked, response) => {
    if (/login/.test(asked.path)) sendJson(response, success(plentyOf(asked)));
  }),
  byAnswers('sessions-only', 'answers only logins and renewals', (asked, response) => {
    if (/login|refresh/.test(asked.path)) sendJson(response, success(plentyOf(asked)));
  }),
  byAnswers('every-other', 'loses every other answer', (asked, response) => {
    if (asked.count % 2 === 0) sendJson(response, success(plentyOf(asked)));
  }),
  byAnswers('no-subscriptions', 'loses each answer about subscriptions', (asked, response) => {
    if (!/webhooks/.test(asked.path)) sendJson(response, success(plentyOf(asked)));
  }),
];
