import type { Passwords } from './accounts/passwords.ts';
import type { Cache } from './catalogue/cache.ts';
import type { Vocabularies } from './catalogue/near-words.ts';
import type { Log } from './base/log.ts';
import type { ServerConfig } from './base/config.ts';
import type { OneAtATime } from './database/one-at-a-time.ts';
import type { Database } from './database/open.ts';
import type { MailTransport } from './mail/transport.ts';
import type { MediaAddresses } from './media/media.ts';
import type { Gateway } from './payment/gateway.ts';
import type { Outbox } from './mail/outbox.ts';
import type { PaymentPort } from './payment/port.ts';
import type { PurchaseKinds } from './payment/purchase-kind.ts';
import type { ProviderClients } from './providers/clients.ts';
import type { SharedAnswers } from './stores/shared-answers.ts';
import type { SmsTransport } from './sms/transport.ts';
import type { Stores } from './stores/stores.ts';
import type { Turns } from './base/turns.ts';

/** What the calls work with. One for the whole server; which store is meant comes with each call. */
export type Services = {
  db: Database;
  oneAtATime: OneAtATime;
  config: ServerConfig;
  payment: PaymentPort;
  kinds: PurchaseKinds;
  /** checks what a customer brings back from the gateway; undefined where it signs nothing */
  verifyPayment: Gateway['verify'];
  stores: Stores;
  cache: Cache;
  vocabularies: Vocabularies;
  sharedAnswers: SharedAnswers;
  turns: Turns;
  passwords: Passwords;
  providers: ProviderClients;
  mediaAddress: MediaAddresses;
  /** messages that no server takes */
  outbox: Outbox;
  mail: MailTransport;
  sms: SmsTransport;
  /** takes the shop's time from the database, and moves the clock to the time that is wanted */
  followClock: (stopping?: AbortSignal) => Promise<void>;
  log: Log;
};
