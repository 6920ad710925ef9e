import Fastify from 'fastify';

/**
 * A minimal Fastify server, the baseline of the shop's throughput. Sends its URL to the process
 * that started it.
 */
const app = Fastify();
app.get('/', async () => ({ hello: 'world' }));
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.(address);
