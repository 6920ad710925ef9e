import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createDrain } from '../../../server/base/drain.ts';

test('a stop waits for the last running request, also on a connection kept alive', async () => {
  const app = Fastify();
  const drain = createDrain(app);
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  app.get('/slow', async () => {
    begun.resolve();
    await end.promise;
    return 'done';
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true });
  const asked = get(`${address}/slow`, { agent });
  await begun.promise;
  const start = performance.now();
  const stopped = drain.run(0);
  end.resolve();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  await stopped;
  agent.destroy();
  expect(answer.statusCode).toBe(200);
  expect(performance.now() - start).toBeLessThan(5_000);
});
