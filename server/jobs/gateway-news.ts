import type { FastifyInstance } from 'fastify';
import { BadNews, type Gateway } from '../payment/gateway.ts';
import { hear } from './hear.ts';
import { PaymentUnknown } from '../payment/port.ts';
import type { Services } from '../services.ts';

/** Bytes of a message; gateways send some ten thousand at most. */
const LIMIT = 256 * 1024;

/** Where the gateway's own messages arrive. What is answered with an error the gateway sends again, for days. */
export function gatewayNews(app: FastifyInstance, services: Services, { path, read }: NonNullable<Gateway['news']>): void {
  void app.register(async (news) => {
    news.removeAllContentTypeParsers();
    // As bytes: what is signed is what was sent.
    news.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LIMIT }, (_request, body, done) => done(null, body));
    news.post(path, { bodyLimit: LIMIT }, async (request, reply) => {
      try {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const reference = await read(body, request.headers);
        if (reference !== undefined) await hear(services, reference);
        return reply.send({ received: true });
      } catch (error) {
        if (error instanceof BadNews) return reply.code(400).send({ error: error.message });
        if (!(error instanceof PaymentUnknown)) throw error;
        services.log.error({ err: error.cause }, 'news of the payment gateway could not be followed');
        return reply.code(503).send({ error: 'The payment gateway did not answer.' });
      }
    });
  });
}
