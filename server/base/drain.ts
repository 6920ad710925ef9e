import { once } from 'node:events';
import type { ServerHttp2Session } from 'node:http2';
import { setTimeout as pass } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Milliseconds that running requests get to finish after the shop stops accepting connections. */
const MAX_FINISH_MS = 20_000;

/** Milliseconds between two checks for connections that have become idle; HTTP/2 needs none. */
const CLOSE_IDLE_MS = 100;

/** Stops a shop without cutting requests off. */
export type Drain = {
  /** whether the shop is about to stop: load balancers route customers to another one */
  readonly isDraining: boolean;
  /**
   * Keeps answering for some seconds, each answer with `Connection: close`; then accepts no new
   * connections, and waits up to 20 s for running requests.
   */
  run(seconds: number): Promise<void>;
};

export function createDrain(app: FastifyInstance): Drain {
  let isDraining = false;
  const sessions = new Set<ServerHttp2Session>();
  app.server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  // HTTP/2 has no Connection header: its sessions get a GOAWAY frame when the drain time is over.
  app.addHook('onRequest', async (request, reply) => {
    if (isDraining && request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
  });
  return {
    get isDraining() {
      return isDraining;
    },
    async run(seconds) {
      isDraining = true;
      await pass(seconds * 1000);
      const closedEvent = once(app.server, 'close');
      app.server.close();
      for (const session of sessions) session.close();
      // A request that began earlier leaves its keep-alive connection open.
      const idleTimer = setInterval(() => app.server.closeIdleConnections?.(), CLOSE_IDLE_MS);
      await Promise.race([closedEvent, pass(MAX_FINISH_MS, undefined, { ref: false })]).finally(() => clearInterval(idleTimer));
    },
  };
}
