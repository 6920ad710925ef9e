import type { Passwords } from './accounts/passwords.ts';
import type { Cache } from './catalogue/cache.ts';
import type { Vocabularies } from './catalogue/near-words.ts';
import type { Log } from './base/log.ts';
import type { ServerConfig } from './base/config.ts';
import type { OneAtATime } from './database/advisory-locks.ts';
import type { Database } from './database/open.ts';
import type { MailTransport } from './mail/transport.ts';
import type { MediaAddresses } from './media/media.ts';
import type { Gateway } from './payment/gateway.ts';
import type { Outbox } from './mail/outbox.ts';
import type { PaymentPort } from './payment/port.ts';
import type { PurchaseKinds } from './payment/purchase-kind.ts';
import type { ProviderClients } from './providers/clients.ts';
import type { SharedAnswerCache } from './stores/shared-answer-cache.ts';
import type { SmsTransport } from './sms/transport.ts';
import type { Stores } from './stores/stores.ts';
import type { PriorityGate } from './base/priority-gate.ts';

/**
 * Dependencies shared by all request handlers. One instance for the whole server; each call names
 * its store.
 */
export type Services = {
  db: Database;
  oneAtATime: OneAtATime;
  config: ServerConfig;
  payment: PaymentPort;
  kinds: PurchaseKinds;
  /**
   * verifies the payment result that a customer's browser brings from the gateway; undefined where
   * the gateway signs none
   */
  verifyPayment: Gateway['verify'];
  stores: Stores;
  cache: Cache;
  vocabularies: Vocabularies;
  sharedAnswers: SharedAnswerCache;
  priorityGate: PriorityGate;
  passwords: Passwords;
  providers: ProviderClients;
  mediaAddress: MediaAddresses;
  /** messages on disk, where no mail or SMS server is configured */
  outbox: Outbox;
  mail: MailTransport;
  sms: SmsTransport;
  /** reads the shop's time from the database, and moves the clock to its target time */
  followClock: (stopping?: AbortSignal) => Promise<void>;
  log: Log;
};
