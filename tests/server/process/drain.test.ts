import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createDrain } from '../../../server/base/drain.ts';

test('a stop waits for the last running request, also on a connection kept alive', async () => {
  const app = Fastify();
  const drain = createDrain(app);
  const [startSignal, endSignal] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  app.get('/slow', async () => {
    startSignal.resolve();
    await endSignal.promise;
    return 'done';
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true });
  const clientRequest = get(`${address}/slow`, { agent });
  await startSignal.promise;
  const startedAt = performance.now();
  const stopPromise = drain.run(0);
  endSignal.resolve();
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  response.resume();
  await stopPromise;
  agent.destroy();
  expect(response.statusCode).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
