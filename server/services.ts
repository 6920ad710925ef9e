import type { Passwords } from './accounts/passwords.ts';
import type { Cache } from './catalogue/cache.ts';
import type { ServerConfig } from './config.ts';
import type { OneAtATime } from './database/one-at-a-time.ts';
import type { Database } from './database/open.ts';
import type { MediaAddresses } from './media.ts';
import type { PaymentPort } from './payment/port.ts';

/** What the calls work with. One for the whole server; which store is meant comes with each call. */
export type Services = {
  db: Database;
  oneAtATime: OneAtATime;
  config: ServerConfig;
  payment: PaymentPort;
  cache: Cache;
  passwords: Passwords;
  mediaAddress: MediaAddresses;
  log: { error(details: object, message: string): void };
};
