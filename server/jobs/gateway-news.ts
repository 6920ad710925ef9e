import type { FastifyInstance } from 'fastify';
import { BadNews, type Gateway } from '../payment/gateway.ts';
import { hear } from './hear.ts';
import { PaymentUnknown } from '../payment/port.ts';
import type { Services } from '../services.ts';

/** Maximum size of a webhook in bytes; gateways send about 10,000 at most. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * Registers the webhook route. The gateway retries a webhook that is answered with an error, for
 * days.
 */
export function gatewayNews(app: FastifyInstance, services: Services, { path, read }: NonNullable<Gateway['news']>): void {
  void app.register(async (news) => {
    news.removeAllContentTypeParsers();
    // As bytes, because the signature covers the raw body.
    news.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) => done(null, body));
    news.post(path, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      try {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const reference = await read(body, request.headers);
        if (reference !== undefined) await hear(services, reference);
        return reply.send({ received: true });
      } catch (error) {
        if (error instanceof BadNews) return reply.code(400).send({ error: error.message });
        if (!(error instanceof PaymentUnknown)) throw error;
        services.log.warn({ err: error.cause, willRetry: true }, 'payment.webhook.timeout');
        return reply.code(503).send({ error: 'The payment gateway did not answer.' });
      }
    });
  });
}
