import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { PaymentPort } from './port.ts';

/** A webhook with an invalid signature or an invalid body. */
export class InvalidWebhook extends Error {}

/**
 * Reads a webhook.
 * @param body the raw bytes, which are what the gateway signed
 * @returns the store's reference of the payment or subscription; undefined if it is about neither
 * @throws BadNews
 */
export type WebhookReader = (body: Buffer, headers: IncomingHttpHeaders) => Promise<string | undefined>;

/** A payment gateway with its routes. */
export type Gateway = {
  port: PaymentPort;
  /** its webhook route; left out if it sends no webhooks */
  webhooks?: { path: string; read: WebhookReader };
  /** pages of the shop that redirect to the gateway and back, if it needs any */
  pages?: (app: FastifyInstance) => void;
  /**
   * checks the signature that a customer brings back from the gateway; left out if it signs nothing
   */
  verify?: (signed: { paymentId: string; subscriptionId: string; signature: string }) => boolean;
};
