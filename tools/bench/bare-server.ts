import Fastify from 'fastify';

/** The least that a Fastify server does: what the shop's pace is compared with. It says its address to the process that began it. */
const app = Fastify();
app.get('/', async () => ({ hello: 'world' }));
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.(address);
