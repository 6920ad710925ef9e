import type { FastifyInstance } from 'fastify';
import { InvalidWebhook, type Gateway } from '../payment/gateway.ts';
import { handleWebhook } from './webhook-handler.ts';
import { PaymentUnknown } from '../payment/port.ts';
import type { Services } from '../services.ts';

/** Maximum size of a webhook in bytes; gateways send about 10,000 at most. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * Registers the webhook route. The gateway retries a webhook that is answered with an error, for
 * days.
 */
export function webhookRoutes(app: FastifyInstance, services: Services, { path, read }: NonNullable<Gateway['webhooks']>): void {
  void app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers();
    // As bytes, because the signature covers the raw body.
    webhooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    webhooks.post(path, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      try {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const reference = await read(body, request.headers);
        if (reference !== undefined) await handleWebhook(services, reference);
        return reply.send({ received: true });
      } catch (error) {
        if (error instanceof InvalidWebhook) return reply.code(400).send({ error: error.message });
        if (!(error instanceof PaymentUnknown)) throw error;
        services.log.warn({ err: error.cause, willRetry: true }, 'payment.webhook.timeout');
        return reply.code(503).send({ error: 'The payment gateway did not answer.' });
      }
    });
  });
}
