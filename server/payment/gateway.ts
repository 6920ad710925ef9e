import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { PaymentPort } from './port.ts';

/** A webhook with an invalid signature or an invalid body. */
export class InvalidWebhook extends Error {}

/**
 * Reads a webhook.
 * @param body the raw bytes, which the gateway's signature covers
 * @returns the store's reference of the payment or subscription; undefined if the webhook is about
 * neither
 * @throws InvalidWebhook; PaymentUnknown if the reference must be read from the gateway, which does
 * not answer
 */
export type WebhookReader = (body: Buffer, headers: IncomingHttpHeaders) => Promise<string | undefined>;

/** A payment gateway: its port, and the routes that it needs in the shop. */
export type Gateway = {
  port: PaymentPort;
  /** the route of its webhooks; left out if it sends none */
  webhooks?: { path: string; read: WebhookReader };
  /** pages of the shop that redirect to the gateway and back, if it needs any */
  pages?: (app: FastifyInstance) => void;
  /**
   * whether the signature that a customer brings back from the gateway is valid; left out if the
   * gateway signs nothing
   */
  verify?: (signedReturn: { paymentId: string; subscriptionId: string; signature: string }) => boolean;
};
