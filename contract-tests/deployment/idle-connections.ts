// Connections that are kept for a later request. What comes on one of them before it is asked for is nobody's answer.
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** How long Node's own agent keeps a connection that nobody uses, in milliseconds. */
const idleMs = 5_000;

/** So long a connection has to be silent after an answer, in milliseconds: a second answer may be right behind the first. */
const quietMs = 10;

/** The option of a request that takes no connection that was used before. */
export const freshOption = 'freshConnection';

export type IdleOptions = { [freshOption]?: boolean };

/** Node calls this method of an agent, or of what is like one, with each request; only its types do not know it. */
export interface Adding<Options> {
  addRequest(request: ClientRequest, options: Options): void;
}

/** Makes an agent keep connections only while they are silent, and for `idleMs`: proxies forget idle ones without a word. */
export function guardIdleConnections<T extends Agent>(agent: T): T {
  const idleSince = new WeakMap<Socket, number>();
  const isUsable = (socket: Socket) =>
    !socket.destroyed && performance.now() - (idleSince.get(socket) ?? 0) >= quietMs;
  closeIdleSockets(agent, idleSince);
  const adding = agent as unknown as Adding<IdleOptions>;
  const add = adding.addRequest.bind(agent);
  adding.addRequest = (request, options) => {
    const addNow = () => {
      const giveBack = takeAway(agent, (socket) => options[freshOption] === true || !isUsable(socket));
      add(request, options);
      giveBack();
    };
    // Where this process was busy, what came meanwhile has not been read yet: that takes a whole turn.
    if (Object.keys(agent.freeSockets).length === 0) addNow();
    else setImmediate(() => setImmediate(addNow));
  };
  return agent;
}

/** The agent's option `timeout` would end slow tunnels too. */
function closeIdleSockets(agent: Agent, idleSince: WeakMap<Socket, number>): void {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket: Socket) => {
    const isKept = keep(socket);
    if (!socket.timeout || socket.timeout > idleMs) socket.setTimeout(idleMs);
    idleSince.set(socket, performance.now());
    socket.once('data', destroyThis);
    return isKept;
  };
  const reuse = agent.reuseSocket.bind(agent);
  agent.reuseSocket = (socket, request) => {
    socket.off('data', destroyThis);
    reuse(socket, request);
  };
}

/** Node's newer versions see to that themselves. */
function destroyThis(this: Socket): void {
  this.destroy();
}

/** Takes idle connections out of an agent's reach; what it returns puts them back. */
function takeAway(agent: Agent, isTaken: (socket: Socket) => boolean): () => void {
  const pools = agent.freeSockets as Record<string, Socket[] | undefined>;
  const taken = Object.entries(pools).map(([name, sockets = []]) => {
    const away = new Set(sockets.filter(isTaken));
    pools[name] = sockets.filter((socket) => !away.has(socket));
    return { name, away };
  });
  return () => {
    for (const { name, away } of taken) if (away.size > 0) pools[name] = [...(pools[name] ?? []), ...away];
  };
}

/**
 * Whether an answer may be about the idle time before the request: some servers write 408 before they close a connection that nobody used.
 * Such a request was not processed (RFC 9110, section 15.5.9).
 */
export function isFarewell({ statusCode, req }: IncomingMessage & { req?: ClientRequest }): boolean {
  return statusCode === 408 && req?.reusedSocket === true;
}
