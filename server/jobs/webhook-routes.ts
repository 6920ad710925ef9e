import type { FastifyInstance } from 'fastify';
import { InvalidWebhook, type Gateway } from '../payment/gateway.ts';
import { handleWebhook } from './webhook-handler.ts';
import { PaymentUnknown } from '../payment/port.ts';
import type { Services } from '../services.ts';

/** Maximum size of a webhook in bytes; gateways send about 10,000 at most. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * Registers the webhook route. For days, the gateway retries a webhook whose response is an error.
 */
export function webhookRoutes(app: FastifyInstance, services: Services, { path, read }: NonNullable<Gateway['webhooks']>): void {
  void app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers();
    // The body is parsed as bytes, because the signature covers the raw body.
    webhooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    webhooks.post(path, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      let reference: string | undefined;
      try {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        reference = await read(body, request.headers);
        if (reference !== undefined) await handleWebhook(services, reference);
        return reply.send({ received: true });
      } catch (error) {
        if (error instanceof InvalidWebhook) return reply.code(400).send({ error: error.message });
        if (!(error instanceof PaymentUnknown)) throw error;
        // The gateway sends the webhook again; the shop does not retry it by itself.
        services.log.warn({ err: error.cause, reference }, 'payment.webhook.outcome_unknown');
        return reply.code(503).send({ error: 'The outcome of a call of the payment gateway is unknown.' });
      }
    });
  });
}
